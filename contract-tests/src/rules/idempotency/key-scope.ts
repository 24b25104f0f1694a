import type { JsonObject } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { readMember } from '../../contract/evidence.ts';
import { ruleIn } from '../../contract/rule.ts';
import type { Answer, ScenarioContext } from '../../contract/scenario.ts';
import { scenario } from '../../contract/scenario.ts';
import { type Condition, credential } from '../../requires.ts';
import { longestKey, scriptedOr, scriptedPath } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('idempotency');
const accessRule = ruleIn('idempotency', { concern: 'access', usualCause: usualCauses.keyOwners });

const isNew: readonly expect.Expectation[] = [expect.status(200), expect.noReplay];
const isReplayed = (first: Answer) => expect.orUnreplayable(first, expect.status(200, expect.replay));
/** A submission returns 201, but the retry table gives 200 for each replay (OP-079). */
const isReplayedHandle: expect.Expectation = expect.status([200, 201], expect.replay);

const withInput = (...requires: readonly Condition[]) =>
  ({ cost: 'hooked', requires: [...scriptedOr('input'), ...requires] }) as const;
const withNote = ({ values }: ScenarioContext, note: string, more: JsonObject = {}) => ({
  path: scriptedPath,
  input: { ...more, note: values.text(note) },
});

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

/** Callers without a common workspace make the same call with one key, then with a second key in reverse order. */
const threeCallers = scenario(withInput(...credential('router', 'solo', 'neighbour')), async (server) => {
  const { run, must, newKey } = server;
  const [key, second] = [newKey('key-scopes'), newKey('key-scopes-too')];
  const model = withNote(server, 'whose', { outcome: 'echo' });
  const solo = await must(run(model, { key, as: 'solo' }), 200);
  const soloAgain = await run(model, { key, as: 'solo' });
  const main = await run(model, { key });
  const neighbour = await run(model, { key, as: 'neighbour' });
  const mainFirst = await must(run(model, { key: second }), 200);
  const soloSecond = await run(model, { key: second, as: 'solo' });
  return { solo, soloAgain, main, neighbour, mainFirst, soloSecond };
});

const twoWorkspaces = scenario(
  { cost: 'hooked', requires: [...scriptedOr('input', 'slowInput'), ...credential('router', 'neighbour')] },
  async (server) => {
    const { run, submit, must, after, newKey, values } = server;
    const key = newKey('key-foreign-run');
    const as = 'neighbour';
    const model = withNote(server, 'mine');
    const slow = withNote(server, 'mine', { delay_ms: values.ms(600) });
    const [mine, theirs] = await Promise.all([run(slow, { key }), after(150, () => run(slow, { key, as }))]);
    const queueKey = newKey('key-foreign-queue');
    const queued = await must(submit(model, { key: queueKey }), 201);
    return { mine, theirs, queued, theirsQueued: await submit(model, { key: queueKey, as }) };
  },
);

export const keyScopeRules = [
  rule('idempotency.key.long-ones-are-told-apart', longKeys, {
    concern: 'results',
    usualCause: usualCauses.keyText,
    sentence: 'Long keys that differ only in the last character are different keys.',
    requirements: ['MR-IDM-32', 'MR-IDM-01'],
    check: ({ one, another, inCapitals, oneAgain }) => [
      ...expect.on([one, another, inCapitals], ...isNew),
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
    sentence: 'A caller without a workspace has its own idempotency keys, which it shares with no workspace.',
    requirements: ['MR-IDM-40', 'MR-IDM-41', 'MR-IDM-45', 'MR-HDR-14'],
    check: ({ solo, soloAgain, soloSecond, main, neighbour }) => [
      ...expect.on([soloSecond, main, neighbour], ...isNew),
      ...expect.on(soloAgain, isReplayed(solo)),
    ],
  }),
  accessRule('idempotency.scope.workspaces-do-not-conflict', twoWorkspaces, {
    sentence: 'Two workspaces can use the same key for runs and submissions, without a conflict and without waiting.',
    requirements: ['MR-IDM-40', 'MR-IDM-32', 'MR-HDR-14'],
    check: ({ theirs, queued, theirsQueued }) => {
      const mine = readMember(queued, '/request_id');
      const isOwn = expect.matching('a separate request', (id) => id === undefined || id !== mine);
      return [
        ...expect.on(theirs, expect.notStatus(409), expect.noReplay),
        ...expect.on(theirsQueued, expect.status(201), expect.noReplay, expect.member('/request_id', isOwn)),
      ];
    },
  }),
  rule('idempotency.caller.is-one-in-either-header', eitherHeader, {
    sentence: 'A caller has the same idempotency keys with an API key and with a bearer token.',
    requirements: ['MR-IDM-40', 'MR-IDM-01', 'MR-AUT-04', 'MR-HDR-14'],
    check: ({ keyFirst, tokenAgain, tokenFirst, keyAgain, queuedAgain }) => [
      ...expect.on(tokenAgain, isReplayed(keyFirst)),
      ...expect.on(keyAgain, isReplayed(tokenFirst)),
      ...expect.on(queuedAgain, isReplayedHandle),
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
