import { NotApplicable } from '../contract/endings.ts';
import { decodeBody, decodeUtf8, parseBody, readMember, type StepResponse } from '../contract/evidence.ts';
import { type CheckResult, type Finding, finding, notApplicable, observed } from '../contract/finding.ts';
import { ruleIn } from '../contract/rule.ts';
import { type Answer, scenario } from '../contract/scenario.ts';
import { afterCompletion, billed, outcomesModelWith, runValidInput, submitted } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('collect');

const collectedEarly = scenario(billed, async (server) => {
  const submit = await submitted(server);
  const early = await server.collect(submit);
  return { submit, early, status: await server.status(submit), end: await server.completed(submit) };
});

const runAndQueue = scenario(billed, async (server) => ({
  collect: (await server.shared(afterCompletion)).collect,
  run: await runValidInput(server),
}));

/** Runs the check on a collected result and a run's result, if both exist. */
function ifBothSucceeded(
  { collect, run }: Partial<Record<'collect' | 'run', Answer | undefined>>,
  check: (collect: Answer, run: Answer) => readonly Finding[],
  otherwise: CheckResult = notApplicable('the run or its queued request did not succeed'),
): CheckResult {
  return expect.hasSucceeded(collect) && expect.hasSucceeded(run) ? check(collect, run) : otherwise;
}

const expectSameType = (collect: Answer, run: Answer) => expect.on(collect, expect.sameMediaType(run));
const expectSameBytes = (collect: Answer, run: Answer) =>
  expect.on(collect, (response) => expect.sameBytes(withoutSignatures(run))(withoutSignatures(response)));

/** Removes the query strings of URLs in JSON text, because each response has new link signatures. */
function withoutSignatures(response: StepResponse): StepResponse {
  if (parseBody(response).kind === 'malformed') return response;
  const text = decodeBody(response).replace(/"(?:[^"\\]|\\.)*"/g, (literal) => {
    const value = String(JSON.parse(literal));
    return /^https?:\/\/[^?]+\?/.test(value) ? JSON.stringify(value.replace(/\?.*$/, '')) : literal;
  });
  return { ...response, body: new TextEncoder().encode(text) };
}

const resultRule = ruleIn('collect', { needs: ['collect.result.answers-with-200'] });

/** Gets a file from a run and from the queue. The queue may reject a model other than the outcomes model. */
const fileFromRunAndQueue = scenario(billed, async (server) => {
  const { run, submit, must, completed, collect, ended, follow, discovery } = server;
  if (server.isScripted) {
    const model = outcomesModelWith({ media_type: 'image/png' });
    const request = await must(submit(model), 201);
    await completed(request);
    return { collect: await collect(request), run: await run(model) };
  }
  const { binary } = discovery.models;
  if (binary === undefined) throw new NotApplicable('no model that returns bytes was found');
  const request = await submit(binary, { share: 'plain request' });
  if (URL.canParse(String(readMember(request, '/status_url')))) await ended(request);
  return { collect: await follow(request, '/response_url'), run: await run(binary, { share: 'plain' }) };
});

/** The queue may reject models that return bytes. */
const noFile = observed('the queue returned no file to compare');

export const collectRules = [
  rule('collect.pending.answers-with-202', collectedEarly, {
    sentence: 'Collecting a request that is not completed returns 202.',
    requirements: ['MR-COL-09', 'MR-QUE-23'],
    check: ({ early, status }) =>
      readMember(status, '/status') === 'COMPLETED' && early.status !== 202
        ? notApplicable('the request completed before it could be collected early')
        : expect.on(early, expect.status(202)),
  }),
  rule('collect.result.answers-with-200', afterCompletion, {
    sentence: 'Collecting a completed request returns 200 with its result.',
    requirements: ['MR-COL-04', 'MR-QUE-23'],
    partReading: 'OP-021',
    // A rule that shares the request may already have collected its result or changed its state. Findings about these
    // statuses therefore rely on OP-021.
    check: ({ end, collect }) => {
      const reading = [404, 409, 410].includes(collect.status) ? 'OP-021' : undefined;
      return expect.ifRequestSucceeded(end, () => expect.on(collect, expect.withReading(reading, expect.status(200))));
    },
  }),
  resultRule('collect.result.keeps-the-media-type', runAndQueue, {
    sentence: 'A collected result has the same media type as the result of a run.',
    requirements: ['MR-COL-05'],
    check: (responses) => ifBothSucceeded(responses, expectSameType),
  }),
  resultRule('collect.result.equals-the-synchronous-bytes', runAndQueue, {
    sentence: 'A collected result has the same bytes as the result of a run.',
    requirements: ['MR-COL-06'],
    check: (responses, context) => {
      context.needsEqualOutputs(context.authored);
      return ifBothSucceeded(responses, expectSameBytes);
    },
  }),
  resultRule('collect.result.is-the-same-each-time', afterCompletion, {
    sentence: 'If a result can be collected again, it has the same bytes.',
    requirements: ['MR-COL-04', 'MR-COL-06'],
    // It may be possible to collect a result only once (OP-021).
    check: ({ collectAgain, collect }) =>
      [collectAgain, collect].every(expect.hasSucceeded)
        ? expectSameBytes(collectAgain, collect)
        : expect.recordAnswer(collectAgain, 'a second collect', 'OP-021'),
  }),
  rule('collect.binary.is-not-read-as-text', fileFromRunAndQueue, {
    sentence: 'A collected file has the media type of the file from a run, and bytes that are not text stay unchanged.',
    requirements: ['MR-COL-05', 'MR-COL-06'],
    check: (responses) =>
      ifBothSucceeded(
        responses,
        (collect, run) => {
          // A server that decodes a file as text replaces invalid bytes with U+FFFD.
          const isLost = decodeUtf8(run.body) === undefined && decodeUtf8(collect.body)?.includes('\u{fffd}') === true;
          const [expected, actual] = ['the same bytes as from a run', 'text with U+FFFD instead of some bytes'];
          const lost = isLost ? [finding('body-malformed', { step: collect.step }, expected, actual)] : [];
          return [...expectSameType(collect, run), ...lost];
        },
        noFile,
      ),
  }),
  rule('collect.binary.equals-the-synchronous-bytes', fileFromRunAndQueue, {
    sentence: 'A collected file has the same bytes as the file from a run.',
    requirements: ['MR-COL-06'],
    check: (responses, { isScripted, discovery: { models }, needsEqualOutputs }) => {
      if (!isScripted && models.binary !== undefined) needsEqualOutputs(models.binary);
      return ifBothSucceeded(responses, expectSameBytes, noFile);
    },
  }),
];
