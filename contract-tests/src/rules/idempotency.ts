import type { JsonObject } from '../../../specs/src/index.ts';
import { usualCauses } from '../contract/concerns.ts';
import { computeEnd, isReplay, outage, readMember } from '../contract/evidence.ts';
import { type CheckResult, notApplicable } from '../contract/finding.ts';
import { ruleIn } from '../contract/rule.ts';
import {
  type Answer,
  type CallOptions,
  type ResponsesOf,
  type Runnable,
  type ScenarioContext,
  scenario,
} from '../contract/scenario.ts';
import { type Condition, type CredentialName, credential, hook } from '../requires.ts';
import { hooked, inTurn, longestKey, lostWork, outcomesModelOr, outcomesModelWith } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('idempotency');
const accessRule = ruleIn('idempotency', { concern: 'access', usualCause: usualCauses.keyOwners });

const expectNewResult: readonly expect.Expectation[] = [expect.status(200), expect.noReplay];
const isReplayed = (first: Answer) => expect.orUnreplayable(first, expect.status(200, expect.replay));
/** A submission returns 201, but the retry table gives 200 for each replay (OP-079). */
const expectReplayedHandle: expect.Expectation = expect.status([200, 201], expect.replay);

const withInput = (...requires: readonly Condition[]) =>
  ({ cost: 'hooked', requires: [...outcomesModelOr('input'), ...requires] }) as const;
const withNote = ({ values }: ScenarioContext, note: string, more: JsonObject = {}) =>
  outcomesModelWith({ ...more, note: values.text(note) });

/** Calls with keys of the maximum length that only differ in the last character. */
const longKeys = scenario(withInput(), async (server) => {
  const { run, newKey } = server;
  const beginning = newKey('key-long').padEnd(longestKey - 1, '-');
  const model = withNote(server, 'long key');
  const one = await run(model, { key: `${beginning}a` });
  const another = await run(model, { key: `${beginning}b` });
  const inCapitals = await run(model, { key: `${beginning}A` });
  return { one, another, inCapitals, oneAgain: await run(model, { key: `${beginning}a` }) };
});

const twoPaths = scenario(withInput(), async (server) => {
  const { run, submit, must, newKey } = server;
  const key = newKey('key-paths');
  const model = withNote(server, 'run');
  return { run: await must(run(model, { key }), 200), submit: await submit(model, { key, rejected: true }) };
});

const withBearerToken = { credentials: [{ as: 'bearer', who: 'main' }] } as const;

const eitherHeader = scenario(withInput(), async (server) => {
  const { run, submit, must, newKey } = server;
  const [one, two, queue] = [newKey('caller-key-first'), newKey('caller-token-first'), newKey('caller-queue')];
  const model = withNote(server, 'either form');
  const keyFirst = await must(run(model, { key: one, as: 'main' }), 200);
  const tokenAgain = await run(model, { key: one, ...withBearerToken });
  const tokenFirst = await must(run(model, { key: two, ...withBearerToken }), 200);
  const keyAgain = await run(model, { key: two, as: 'main' });
  const queued = await must(submit(model, { key: queue, as: 'main' }), 201);
  const queuedAgain = await submit(model, { key: queue, ...withBearerToken });
  return { keyFirst, tokenAgain, tokenFirst, keyAgain, queued, queuedAgain };
});

const colleagueCalls = scenario(withInput(...credential('router', 'colleague')), async (server) => {
  const { run, submit, must, newKey } = server;
  const mineModel = withNote(server, 'mine');
  const [key, queueKey] = [newKey('caller-mate'), newKey('caller-mate-queue')];
  const mine = await must(run(mineModel, { key }), 200);
  const mineAgain = await run(mineModel, { key, as: 'colleague' });
  const theirs = await run(withNote(server, 'theirs'), { key, as: 'colleague', rejected: true });
  const queued = await must(submit(mineModel, { key: queueKey }), 201);
  return { mine, mineAgain, theirs, queued, theirsQueued: await submit(mineModel, { key: queueKey, as: 'colleague' }) };
});

/** Callers without a common workspace make the same calls with one key, then with a second key in reverse order. */
const threeCallers = scenario(withInput(...credential('router', 'solo', 'neighbour')), async (server) => {
  const { run, submit, must, newKey } = server;
  const [key, second, third] = [newKey('key-scopes'), newKey('key-scopes-too'), newKey('key-scopes-queue')];
  const model = withNote(server, 'whose', { outcome: 'echo' });
  const solo = await must(run(model, { key, as: 'solo' }), 200);
  const soloAgain = await run(model, { key, as: 'solo' });
  const main = await run(model, { key });
  const neighbour = await run(model, { key, as: 'neighbour' });
  const mainFirst = await must(run(model, { key: second }), 200);
  const soloSecond = await run(model, { key: second, as: 'solo' });
  const queued = await must(submit(model, { key: third }), 201);
  const queuedByNeighbour = await submit(model, { key: third, as: 'neighbour' });
  return { solo, soloAgain, main, neighbour, mainFirst, soloSecond, queued, queuedByNeighbour };
});

export const keyScopeRules = [
  rule('idempotency.key.long-ones-are-told-apart', longKeys, {
    concern: 'results',
    usualCause: usualCauses.keyText,
    sentence: 'Long keys that differ only in the last character are different keys.',
    requirements: ['MR-IDM-32', 'MR-IDM-01'],
    check: ({ one, another, inCapitals, oneAgain }) => [
      ...expect.on([one, another, inCapitals], ...expectNewResult),
      ...expect.on(oneAgain, isReplayed(one)),
    ],
  }),
  rule('idempotency.path.queue-and-run-conflict', twoPaths, {
    sentence: 'Reusing the key of a run for a submission is rejected with 409 invalid_input.',
    requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18'],
    reading: 'OP-045',
    check: ({ submit }) => expect.on(submit, expect.conflict),
  }),
  accessRule('idempotency.caller.without-a-workspace-has-keys-of-its-own', threeCallers, {
    sentence:
      'Callers of different workspaces, or without a workspace, can use equal idempotency keys without a conflict.',
    requirements: ['MR-IDM-32', 'MR-IDM-40', 'MR-IDM-41', 'MR-IDM-45', 'MR-HDR-14'],
    check: ({ solo, soloAgain, soloSecond, main, neighbour, queued, queuedByNeighbour }) => {
      const first = readMember(queued, '/request_id');
      const isOther = expect.matching('a separate request', (id) => id === undefined || id !== first);
      return [
        ...expect.on([soloSecond, main, neighbour], ...expectNewResult),
        ...expect.on(soloAgain, isReplayed(solo)),
        ...expect.on(queuedByNeighbour, expect.status(201), expect.noReplay, expect.member('/request_id', isOther)),
      ];
    },
  }),
  rule('idempotency.caller.is-one-in-either-header', eitherHeader, {
    sentence: 'A caller has the same idempotency keys with an API key and with a bearer token.',
    requirements: ['MR-IDM-40', 'MR-IDM-01', 'MR-AUT-04', 'MR-HDR-14'],
    check: ({ keyFirst, tokenAgain, tokenFirst, keyAgain, queuedAgain }) => [
      ...expect.on(tokenAgain, isReplayed(keyFirst)),
      ...expect.on(keyAgain, isReplayed(tokenFirst)),
      ...expect.on(queuedAgain, expectReplayedHandle),
    ],
  }),
  rule('idempotency.caller.colleague-shares-the-keys', colleagueCalls, {
    sentence: 'The callers of a workspace share their idempotency keys, for runs and submissions.',
    requirements: ['MR-IDM-27', 'MR-IDM-40', 'MR-IDM-44', 'MR-IDM-16', 'MR-SUB-12'],
    check: ({ mineAgain, theirs, queued, theirsQueued }) => {
      // MR-IDM-44 allows a conflict instead of the recorded result.
      const orConflict = (...then: readonly expect.Expectation[]) =>
        expect.where(({ status }) => status !== 409, ...then);
      return [
        ...expect.on(mineAgain, orConflict(expect.status(200, expect.replay))),
        ...expect.on(theirs, expect.conflict),
        ...expect.on(theirsQueued, orConflict(expect.status([200, 201], expect.sameMember('/request_id', queued)))),
      ];
    },
  }),
];

const resultRule = ruleIn('idempotency', { concern: 'results' });

const withOtherBody = (server: ScenarioContext) => withNote(server, 'another');

/** While the first call runs, sends the same call, a call with a different body, and a call with a different key. */
const whileRunning = scenario({ cost: 'hooked', requires: outcomesModelOr('input', 'slowInput') }, async (server) => {
  const { run, after, newKey, values } = server;
  const key = newKey('key-running');
  const otherKey = newKey('key-running-other');
  const slow = outcomesModelWith({ delay_ms: values.ms(2_500), note: values.text('held') }, 'slowInput');
  const [held, again, otherBody, other] = await Promise.all([
    run(slow, { key }),
    after(150, () => run(slow, { key })),
    after(150, () => run(withOtherBody(server), { key })),
    after(150, () => run(withOtherBody(server), { key: otherKey })),
  ]);
  return { held, again, otherBody, other, afterwards: await run(slow, { key }) };
});

type Running = ResponsesOf<typeof whileRunning>;

/**
 * Runs the check unless calls exceeded the undocumented limit of parallel calls per workspace (OP-008), or the retry
 * arrived before the first call or after its end.
 */
const ifInOrder =
  (check: (responses: Running) => CheckResult) =>
  (responses: Running): CheckResult => {
    const { held, again, otherBody, other } = responses;
    // If the call with the other key ended after the first call, the order of the remaining calls is unknown.
    const isLate = computeEnd(other.exchange) >= computeEnd(held.exchange);
    if (other.status === 429 || (isLate && [again, otherBody].some(({ status }) => status === 429)))
      return notApplicable('the workspace does not allow another call in flight');
    return again.status === 200 && (isReplay(again) || isReplay(held) || held.status === 409)
      ? notApplicable('the calls did not arrive in the order in which they were sent')
      : check(responses);
  };

/** Two rows of the retry table apply: the body differs, and the first call is still running (OP-100). */
const expectOtherBodyRefused = expect.error(409, 'invalid_input', 'concurrency_limit_exceeded');

/** A call passes its deadline while the provider continues to work. Its key then returns the result. */
const collectable = scenario(hooked, async (server) => {
  const { run, after, newKey, values } = server;
  const key = newKey('key-collect');
  const workMs = values.ms(1_000);
  const input = { outcome: 'deadline_exceeded', delay_ms: workMs, note: values.text('accepted') };
  const accepted = outcomesModelWith(input);
  const missed = await run(accepted, { key });
  const early = await run(accepted, { key });
  const otherBody = await run(withOtherBody(server), { key });
  const collected = await after(workMs + 100, () => run(accepted, { key }));
  return { missed, early, otherBody, collected, again: await run(accepted, { key }) };
});

const expectRetryAfter = expect.header('Retry-After', expect.wholeSeconds);

/** Before the work ends, two rows of the retry table apply: still running (409), or result not yet available (504). */
const expectStillRunning = expect.either(
  ({ status }) => status === 200,
  expect.replay,
  expect.status([504, 409], expect.category('deadline_exceeded', 'concurrency_limit_exceeded'), expectRetryAfter),
);

const needs = ['idempotency.deadline.is-504-with-a-hint'];

export const runningCallRules = [
  rule('idempotency.running.is-409', whileRunning, {
    sentence: 'While a call runs, a second call with its key is rejected with 409 concurrency_limit_exceeded.',
    requirements: ['MR-IDM-04', 'MR-STC-06', 'MR-RUN-46'],
    check: ifInOrder(({ again }) => expect.on(again, expect.error(409, 'concurrency_limit_exceeded'))),
  }),
  rule('idempotency.running.another-body-conflicts', whileRunning, {
    sentence: 'While a call runs, reusing its key with a different body is rejected with 409.',
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    check: ifInOrder(({ otherBody }) => expect.on(otherBody, expectOtherBodyRefused)),
  }),
  resultRule('idempotency.running.first-call-is-served', whileRunning, {
    sentence: 'While a call runs, calls with its key do not disturb it, and a call with a different key succeeds.',
    requirements: ['MR-RUN-03', 'MR-IDM-04', 'MR-IDM-32'],
    check: ifInOrder(({ held, other }) => [
      ...expect.on(held, expect.status(200)),
      ...expect.on(other, expect.status(200), expect.noReplay),
    ]),
  }),
  rule('idempotency.running.replays-when-over', whileRunning, {
    sentence: 'After a call has ended, its key replays the result.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    needs: ['idempotency.running.first-call-is-served'],
    check: ({ held, afterwards }) => expect.on(afterwards, expect.status(200, expect.replay, expect.sameValue(held))),
  }),
  resultRule('idempotency.deadline.is-504-with-a-hint', collectable, {
    sentence: 'A call that takes longer than the deadline returns 504 deadline_exceeded with Retry-After.',
    requirements: ['MR-IDM-07', 'MR-RUN-60', 'MR-RUN-58', 'MR-CTG-16'],
    check: ({ missed }) =>
      expect.on(missed, expect.status(504, expect.category('deadline_exceeded'), expectRetryAfter)),
  }),
  resultRule('idempotency.deadline.upstream-has-accepted', collectable, {
    sentence: 'A 504 for work that continues has a header with the 2xx status of the provider.',
    requirements: ['MR-RUN-59', 'MR-HDR-05'],
    reading: 'OP-033',
    needs,
    check: ({ missed }) =>
      expect.on(missed, expect.header('upstreamStatus', expect.matchingPattern('a 2xx status', /^2\d\d$/))),
  }),
  rule('idempotency.deadline.is-still-running', collectable, {
    sentence: 'After a 504 deadline_exceeded, a repeated call gets the replayed result or an error with Retry-After.',
    requirements: ['MR-IDM-07', 'MR-IDM-34'],
    needs,
    check: ({ early }) => expect.on(early, expectStillRunning),
  }),
  rule('idempotency.deadline.key-collects', collectable, {
    sentence: 'After a 504 deadline_exceeded, later calls with the same key return the result, each time the same.',
    requirements: ['MR-IDM-01', 'MR-IDM-07', 'MR-IDM-34', 'MR-HDR-14'],
    needs,
    check: ({ collected, again }) => [
      ...expect.on(collected, expect.status(200, expect.replay)),
      ...expect.on(again, expect.sameValue(collected)),
    ],
  }),
];

const outcomes = hook('outcomes');
const assets = hook('outcomes', 'assets');

/** Runs each model twice, with a key for each. `expected`: statuses of the first call; configured inputs may get 200. */
async function runTwice(
  { run, must, newKey, isScripted }: ScenarioContext,
  models: readonly Runnable[],
  expected: readonly number[] = [200],
) {
  return inTurn(models, async (model) => {
    const key = newKey('key-record');
    const first = await must(run(model, { key }), ...expected, ...(isScripted ? [] : [200]));
    return { first, again: await run(model, { key }) };
  });
}

const withHosting = (...hosting: readonly string[]) => ({ assets: hosting.map((one) => ({ hosting: one })) });

/** Inputs whose results can be replayed, with the readings for those that the API text does not state. */
const replayable = [
  { input: withHosting('hosted_24h') },
  { input: withHosting('inline'), reading: 'OP-095' },
  { input: { media_type: 'image/png' }, reading: 'OP-109' },
  { input: { size_bytes: 200_000 }, reading: 'OP-109' },
];
const replayed = scenario({ cost: 'hooked', requires: assets }, async (server) => ({
  calls: await runTwice(
    server,
    replayable.map(({ input }) => outcomesModelWith(input)),
  ),
}));

/** Inputs whose results cannot be stored: too large, assets at the provider, a lost handle of the provider. */
const unreplayable = [
  { input: { size_bytes: 1_200_000 } },
  { input: withHosting('hosted_24h', 'failed_copy'), reading: 'OP-095' },
  { input: withHosting('provider'), reading: 'OP-095' },
  { input: lostWork, reading: 'OP-108' },
];
const notReplayed = scenario({ cost: 'hooked', requires: assets }, async (server) => ({
  calls: await runTwice(
    server,
    unreplayable.map(({ input }) => outcomesModelWith(input)),
    [200, 504],
  ),
}));

const rejectedTwice = scenario({ cost: 'hooked', requires: outcomesModelOr('rejectedInput') }, async (server) => {
  const byPolicy = outcomesModelWith({ outcome: 'content_policy_violation' }, 'rejectedInput');
  const byProvider = outcomesModelWith({ outcome: 'refused_input' });
  return { calls: await runTwice(server, server.isScripted ? [byPolicy, byProvider] : [byPolicy], [400, 422]) };
});

type RejectedCall = { readonly route: 'run' | 'submit'; readonly model: Runnable; readonly options?: CallOptions };

const onBothRoutes = (model: Runnable, options: CallOptions = {}): readonly RejectedCall[] => [
  { route: 'run', model, options },
  { route: 'submit', model, options },
];

/**
 * For each call: makes it twice with a new key, then makes a call that succeeds with the same key. Nothing was
 * dispatched, so nothing was recorded and the key can be used again (MR-IDM-33). `expected`: statuses of the first call;
 * if absent, the input makes the router fail, possibly with a 503.
 */
function rejectionRule(
  id: string,
  call: string,
  refused: readonly RejectedCall[],
  { expected, requires = outcomesModelOr('input') }: { expected?: readonly number[]; requires?: readonly Condition[] },
) {
  const calls = scenario({ cost: 'hooked', requires }, async (server) => {
    const { must, newKey } = server;
    const calls = await inTurn(refused, async ({ route, model, options }) => {
      const key = newKey('key-released');
      const purpose = { rejected: true, ...(expected === undefined && { expectedFailure: outage }) } as const;
      const refuse = () => server[route](model, { key, ...options, ...purpose });
      await (expected === undefined ? refuse() : must(refuse(), ...expected));
      const again = await refuse();
      return { again, accepted: await server[route](withNote(server, 'better'), { key }) };
    });
    return { again: calls.map(({ again }) => again), accepted: calls.map(({ accepted }) => accepted) };
  });
  return resultRule(`idempotency.rejection.${id}-leaves-the-key-free`, calls, {
    sentence: `After a rejected call ${call}, the idempotency key can be used again.`,
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    check: ({ again, accepted }) => [
      ...expect.on(again, expect.noReplay),
      ...expect.on(accepted, expect.status([200, 201]), expect.noReplay),
    ],
  });
}

const failures = ['internal_error', 'service_unavailable'].map((outcome) => {
  return { route: 'run', model: outcomesModelWith({ outcome }) } as const;
});
const requireCaller = (as: CredentialName<'router'>) => [...outcomesModelOr('input'), ...credential('router', as)];

export const keyRecordRules = [
  rule('idempotency.record.cannot-be-replayed', notReplayed, {
    sentence:
      'A repeated call gets 409 invalid_input if the first result is too large, lost, or stored at the provider.',
    requirements: ['MR-IDM-28', 'MR-IDM-30', 'MR-IDM-52', 'MR-IDM-53', 'MR-IDM-17', 'MR-CTG-05'],
    partReading: ['OP-095', 'OP-108'],
    check: ({ calls }) =>
      calls.flatMap(({ first, again }, index) => {
        const { reading } = unreplayable[index] ?? {};
        // The size limit of records is undocumented, so a server may also replay a large result (MR-IDM-28).
        const isLargeReplay = reading === undefined && isReplay(again) && again.status !== 409;
        return isLargeReplay
          ? expect.on(again, expect.status(200, expect.sameValue(first)))
          : expect.on(again, expect.withReading(reading, expect.conflict));
      }),
  }),
  rule('idempotency.record.is-replayed', replayed, {
    sentence: 'A result is replayed if it has hosted or inline assets, is a file, or is long.',
    requirements: ['MR-IDM-01', 'MR-IDM-52', 'MR-AST-17', 'MR-HDR-14'],
    partReading: ['OP-095', 'OP-109'],
    check: ({ calls }) =>
      calls.flatMap(({ first, again }, index) => {
        const expectReplay = expect.status(200, expect.replay, expect.sameResult(first));
        return expect.on(again, expect.withReading(replayable[index]?.reading, expectReplay));
      }),
  }),
  resultRule('idempotency.record.rejection-is-repeated', rejectedTwice, {
    sentence: 'A repeated call gets the same rejection if the provider rejected the first call.',
    requirements: ['MR-RUN-42', 'MR-RUN-50', 'MR-IDM-01'],
    reading: 'OP-078',
    // The replay header is optional.
    check: ({ calls }) => {
      const rejected = calls.filter(({ first }) => first.status !== 200);
      if (rejected.length === 0) return notApplicable('the configured input succeeded, although it should fail');
      return rejected.flatMap(({ first, again }) =>
        expect.on(again, expect.status(first.status, expect.where(isReplay, expect.sameValue(first)))),
      );
    },
  }),
  rejectionRule(
    'of-invalid-input',
    'with an invalid input',
    onBothRoutes(outcomesModelWith({ delay_ms: 'soon' }, 'invalidInput')),
    { expected: [422] },
  ),
  rejectionRule(
    'of-a-caller-without-credits',
    'without credits',
    onBothRoutes(outcomesModelWith({}), { as: 'noCredits' }),
    {
      expected: [400, 402],
      requires: requireCaller('noCredits'),
    },
  ),
  rejectionRule('of-a-barred-caller', 'without access', onBothRoutes(outcomesModelWith({}), { as: 'noAccess' }), {
    expected: [403],
    requires: requireCaller('noAccess'),
  }),
  rejectionRule('of-a-failed-call', 'that fails before it reaches a provider', failures, { requires: outcomes }),
];
