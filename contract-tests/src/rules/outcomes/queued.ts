import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { isReplay, readHeader, type StepResponse } from '../../contract/evidence.ts';
import type { Probe } from '../../contract/probe.ts';
import { defineFamily, type NamedMember } from '../../contract/rule.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';

type Ending = Readonly<ReturnType<typeof ending>>;

/** `story`: the part of its sentences that tells what happened. */
function ending(
  [name, story]: readonly [string, string],
  [category, status]: readonly [string, number],
  requirements: readonly string[],
  input: JsonObject = { outcome: category },
) {
  return { name, story, category, status, requirements, input };
}

const refusedInput = { outcome: 'refused_input' };
const ofService = ['MR-COL-17', 'MR-STC-09'];

/** Failures of queued requests: on collect with the status of the synchronous route (OP-040), or any of them with 410 (MR-STC-09). */
const endings: readonly Ending[] = [
  ending(['policy', 'that policy rejected'], ['content_policy_violation', 400], ['MR-CTG-06']),
  ending(['provider-error', 'whose provider failed'], ['provider_error', 502], ['MR-CTG-07']),
  ending(['provider-timeout', 'whose provider took too long'], ['provider_timeout', 504], ['MR-CTG-08']),
  ending(
    ['deadline', 'that passed its deadline'],
    ['deadline_exceeded', 504],
    ['MR-COL-20', 'MR-CTG-16'],
    send.lostWork,
  ),
  ending(['refused-input', 'whose input the provider refused'], ['invalid_input', 422], ['MR-COL-18'], refusedInput),
  ending(['internal-error', 'on which the router failed'], ['internal_error', 500], [...ofService, 'MR-CTG-15']),
  ending(['unavailable', 'that met an unavailable service'], ['service_unavailable', 503], [...ofService, 'MR-CTG-18']),
];

/** All are submitted before the first is polled, so that they wait together. */
const endEach = (chosen: readonly Ending[]): Probe => [
  ...chosen.map(({ name, input }) => send.scriptedSubmit(name, input)),
  ...chosen.flatMap(({ name, category }) => [
    send.follow(`${name}-end`, 'status_url', { of: name, repeat: send.untilCompleted, mustAnswer: [200, 410] }),
    send.follow(`${name}-collect`, 'response_url', { of: name, toShow: category }),
    send.follow(`${name}-later`, 'status_url', { of: name }),
  ]),
];
const reachableAlone = ['policy', 'provider-error'];
const scriptedEndings = endEach(endings.filter(({ name }) => !reachableAlone.includes(name)));

/** A failure may be reported with 410, or only by the status (OP-216). */
const expectFailedStatus = (category: string): expect.Expectation =>
  expect.either(
    ({ status }) => status === 410,
    expect.category(category),
    expect.status(200, expect.members({ '/status': 'COMPLETED', '/error_type': category })),
  );

const expectFailure = ({ status, category }: Ending): readonly expect.Expectation[] => [
  expect.asRead('OP-040', expect.status([status, 410])),
  expect.category(category),
  expect.either(
    (response) => response.status === 422,
    expect.member('/detail', expect.array),
    expect.member('/error_type', category),
  ),
];

function queuedRules(one: Ending): readonly NamedMember[] {
  const { name, story, category, requirements, input } = one;
  const [end, collect, later] = [`${name}-end`, `${name}-collect`, `${name}-later`];
  const shared = reachableAlone.includes(name)
    ? { probe: endEach([one]), requires: send.scriptedOrInputFor(input) }
    : { probe: scriptedEndings };
  const shows = {
    ...shared,
    sentence: `The status of a queued request ${story} names that category.`,
    requirements: ['MR-QUE-11', 'MR-STA-09', 'MR-QUE-33'],
    check: expect.ifItFails(collect, expect.on([end, later], expectFailedStatus(category))),
  };
  const collected = {
    ...shared,
    sentence: `Collecting a queued request ${story} gives that error.`,
    requirements,
    partReading: 'OP-040',
    check: expect.ifItFails(collect, expect.on(collect, ...expectFailure(one))),
  };
  return [
    [`outcomes.queued.${name}.shows-in-the-status`, shows],
    [`outcomes.queued.${name}.is-collected`, collected],
  ];
}

const failureRules = defineFamily(send.scripted)(endings.flatMap(queuedRules));

function bothRoutes(input: JsonObject, parts: send.RequestParts = {}, options: send.StepOptions = send.completed) {
  const queued = [send.scriptedSubmit('submit', input, parts), send.polled(), send.follow('collect', 'response_url')];
  return [send.scriptedRun('run', input, parts, options), ...queued];
}

const isCharged = (response: StepResponse, { headers }: ProbeContext): boolean =>
  readHeader(response, headers.creditsUsed) !== undefined;

const text = '{ "outcome":\t"echo",\n  "prompt": "caf\\u00e9 \u00e9 \\/",  "delay_ms": 0 }';
const file = bothRoutes({ media_type: 'audio/wav' });
const encoded = bothRoutes({}, send.literalBody(text), {});
const credits = { label: 'outcomes-credits', to: send.scriptedPath, value: { credits_used: 7 } };

const resultRules = defineFamily(send.scripted)({
  'outcomes.file.keeps-its-media-type': {
    concern: 'results',
    sentence: 'A file that a queued request made is collected with its media type.',
    requirements: ['MR-COL-05', 'MR-COL-04'],
    probe: file,
    check: expect.on(['collect', 'run'], expect.status(200, expect.mediaType('audio/wav'))),
  },
  'outcomes.file.is-collected-to-the-byte': {
    concern: 'results',
    sentence: 'A file that a queued request made is collected byte by byte as it was made.',
    requirements: ['MR-COL-06'],
    needs: ['outcomes.file.keeps-its-media-type'],
    probe: file,
    check: expect.on('collect', expect.sameBytes('run')),
  },
  'outcomes.body.reaches-the-provider-unchanged': {
    concern: 'results',
    sentence: 'The body of a run reaches the provider unchanged.',
    requirements: ['MR-RUN-17'],
    probe: encoded,
    check: expect.on('run', expect.status(200, expect.received({ text, provider: 'sandbox' }))),
  },
  'outcomes.result.is-collected-to-the-byte': {
    concern: 'results',
    sentence: 'A JSON result is collected byte by byte as it was made.',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    needs: ['outcomes.body.reaches-the-provider-unchanged'],
    probe: encoded,
    check: expect.on('collect', expect.status(200, expect.sameBytes('run'))),
  },
  'outcomes.result.is-collected-to-the-byte-at-any-length': {
    concern: 'results',
    sentence: 'A JSON result of any length is collected byte by byte as it was made.',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    probe: bothRoutes({ size_bytes: 150_000 }),
    check: expect.on('collect', expect.status(200, expect.sameBytes('run'))),
  },
  'outcomes.credits.are-told-once': {
    concern: 'spending',
    // Repeats passive.header.credits-used and passive.replay.carries-no-credits, because its calls bring them the header.
    sentence: 'The first response states the credits used, and a replay does not.',
    requires: send.scriptedOr('input'),
    requirements: ['MR-HDR-25', 'MR-HDR-27', 'MR-IDM-02'],
    probe: [send.seed, send.keyed('first', credits, send.completed), send.keyed('again', credits)],
    check: expect.all(
      // It may appear, and need not; the number itself is not promised (MR-HDR-25).
      expect.on('first', expect.where(isCharged, expect.header('creditsUsed', expect.wholeNumber))),
      expect.on('again', expect.where(isReplay, expect.noHeader('creditsUsed'))),
    ),
  },
});

export const queuedOutcomeRules = [...failureRules, ...resultRules];
