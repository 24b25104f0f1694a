import type { Answer } from '../contract/answer.ts';
import { families } from '../contract/concerns.ts';
import { NotApplicable } from '../contract/endings.ts';
import { decodeBody, decodeUtf8, parseBody, readMember, type StepResponse } from '../contract/evidence.ts';
import { type CheckResult, type Finding, finding, notApplicable, observed } from '../contract/finding.ts';
import { ruleIn } from '../contract/rule.ts';
import { type ScenarioContext, scenario } from '../contract/scenario.ts';
import { state } from '../requires.ts';
import { firstSubmission, scriptedPath, submitted, wholeLife } from './calls.ts';
import * as expect from './expect.ts';
import { notFoundRules } from './not-found.ts';

const rule = ruleIn(families.collect);

const sharedRun = ({ run, authored }: ScenarioContext) => run(authored, { share: 'plain' });

async function collectTwice(server: ScenarioContext) {
  const submit = await submitted(server, 'plain request');
  const end = await server.completed(submit);
  const collect = await server.collect(submit);
  return { submit, end, collect, again: await server.collect(submit) };
}

const collected = scenario({ cost: 'billed', requires: [state] }, collectTwice);

const bothWays = scenario({ cost: 'billed', requires: [state] }, async (server) => ({
  ...(await collectTwice(server)),
  run: await sharedRun(server),
}));

const underKey = scenario({ cost: 'billed', requires: [state] }, async (server) => {
  server.needsEqualOutputs(server.authored);
  const first = await firstSubmission(server);
  const end = await server.completed(first);
  const collect = await server.collect(first);
  return { first, end, collect, run: await sharedRun(server) };
});

type BothWays = { readonly collect: Answer | undefined; readonly run: Answer | undefined };

/** Runs the check on a collected result and a run's result, if both exist. */
const ifBothSucceeded =
  (
    check: (collect: Answer, run: Answer) => readonly Finding[],
    otherwise: CheckResult = notApplicable('the run or its queued request did not succeed'),
  ) =>
  ({ collect, run }: BothWays): CheckResult =>
    expect.hasSucceeded(collect) && expect.hasSucceeded(run) ? check(collect, run) : otherwise;

const stringLiteral = /"(?:[^"\\]|\\.)*"/g;

/**
 * Removes the query strings of URLs, because each response signs its links anew. The rest of the JSON text stays
 * unchanged.
 */
function withoutSignatures(response: StepResponse): StepResponse {
  if (parseBody(response).kind === 'malformed') return response;
  const text = decodeBody(response).replace(stringLiteral, (literal) => {
    const value = String(JSON.parse(literal));
    return /^https?:\/\/[^?]+\?/.test(value) ? JSON.stringify(value.replace(/\?.*$/, '')) : literal;
  });
  return { ...response, body: new TextEncoder().encode(text) };
}

const likeResult =
  (as: Answer): expect.Expectation =>
  (response) =>
    expect.sameBytes(withoutSignatures(as))(withoutSignatures(response));

/** True if another rule may already have collected the result or changed the state of the request. */
const mayBeCollected = ({ status }: Pick<Answer, 'status'>): boolean => [404, 409, 410].includes(status);
const expectResult = expect.either(
  mayBeCollected,
  expect.withReading('OP-021', expect.status(200)),
  expect.status(200),
);

const needs = ['collect.result.answers-with-200'];

const resultRules = [
  rule('collect.pending.answers-with-202', wholeLife, {
    sentence: 'Collecting a request that is not completed answers 202.',
    requirements: ['MR-COL-09', 'MR-QUE-23'],
    check: ({ collectEarly, statusEarly }) => {
      const isCompleted = readMember(statusEarly, '/status') === 'COMPLETED';
      return isCompleted && collectEarly.status !== 202
        ? notApplicable('completed before it could be collected early')
        : expect.on(collectEarly, expect.status(202));
    },
  }),
  rule('collect.result.answers-with-200', collected, {
    sentence: 'Collecting a completed request answers 200 with its result.',
    requirements: ['MR-COL-04', 'MR-QUE-23'],
    partReading: 'OP-021',
    // Rules share the request, so another rule may already have collected it.
    check: ({ end, collect }) => expect.ifSucceeded(end, () => expect.on(collect, expectResult)),
  }),
  rule('collect.result.keeps-the-media-type', bothWays, {
    sentence: "A collected result has the media type of the model's output.",
    requirements: ['MR-COL-05'],
    needs,
    check: ifBothSucceeded((collect, run) => expect.on(collect, expect.sameType(run))),
  }),
  rule('collect.result.equals-the-synchronous-bytes', bothWays, {
    sentence: 'A collected result has the same bytes as that of a run.',
    requirements: ['MR-COL-06'],
    needs,
    check: (responses, context) => {
      context.needsEqualOutputs(context.authored);
      return ifBothSucceeded((collect, run) => expect.on(collect, likeResult(run)))(responses);
    },
  }),
  rule('collect.result.second-time', collected, {
    sentence: 'The response to collecting a result twice is noted.',
    observes: true,
    requirements: ['MR-COL-04'],
    needs,
    check: ({ again }) => expect.recordAnswer(again, 'a second collect', 'OP-021'),
  }),
  rule('collect.result.of-a-keyed-submission-is-the-same', underKey, {
    sentence: 'The result of a submission with an idempotency key has the same bytes as that of a run.',
    requirements: ['MR-COL-06'],
    needs,
    check: ifBothSucceeded((collect, run) => expect.on(collect, likeResult(run))),
  }),
  rule('collect.result.is-the-same-each-time', collected, {
    sentence: 'Collecting a result again gives the same bytes.',
    requirements: ['MR-COL-06'],
    needs,
    // A result may only be collectable once (OP-021).
    check: ({ again, collect }) =>
      [again, collect].every(expect.hasSucceeded)
        ? expect.on(again, likeResult(collect))
        : notApplicable('it was not collected twice'),
  }),
  rule('collect.pending.until-the-result-is-there', wholeLife, {
    sentence: 'Collecting answers 202 until the result is there, then 200.',
    requirements: ['MR-COL-09', 'MR-COL-04'],
    check: ({ collectEarly, end, collect }) =>
      // The result may already have been available for the early collect.
      expect.hasSucceeded(collectEarly)
        ? notApplicable('the request ended before it was collected early')
        : expect.ifSucceeded(end, () => expect.on(collect, expect.status(200))),
  }),
];

/** Gets a file on both routes, from the scripted model or a catalog model. The queue may reject the latter. */
const files = scenario({ cost: 'billed', requires: [state] }, async (server) => {
  const { run, submit, must, completed, collect, ended, follow, discovery } = server;
  if (server.isScripted) {
    const model = { path: scriptedPath, input: { media_type: 'image/png' } };
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

const replacement = '\u{fffd}';

/** The queue may reject models that return bytes. */
const noFile = observed('the queue gave no bytes to compare');

const binaryRules = [
  rule('collect.binary.keeps-the-media-type', files, {
    sentence: 'A collected file has the media type of the synchronous run.',
    requirements: ['MR-COL-05'],
    check: ifBothSucceeded((collect, run) => expect.on(collect, expect.sameType(run)), noFile),
  }),
  rule('collect.binary.is-not-read-as-text', files, {
    sentence: 'A collected file is not decoded as text.',
    requirements: ['MR-COL-06'],
    check: ifBothSucceeded((collect, run) => {
      // Invalid bytes were replaced by U+FFFD.
      const isLost = decodeUtf8(run.body) === undefined && decodeUtf8(collect.body)?.includes(replacement) === true;
      const actual = 'text with U+FFFD in their place';
      return isLost
        ? [finding('body-malformed', { step: collect.step }, 'bytes, as on the synchronous route', actual)]
        : [];
    }, noFile),
  }),
  rule('collect.binary.equals-the-synchronous-bytes', files, {
    sentence: 'A collected file has the same bytes as that of the synchronous run.',
    requirements: ['MR-COL-06'],
    check: (responses, { isScripted, discovery: { models }, needsEqualOutputs }) => {
      if (!isScripted && models.binary !== undefined) needsEqualOutputs(models.binary);
      return ifBothSucceeded((collect, run) => expect.on(collect, likeResult(run)), noFile)(responses);
    },
  }),
];

export const collectRules = [...resultRules, ...binaryRules, ...notFoundRules('collect', 'MR-COL-15')];
