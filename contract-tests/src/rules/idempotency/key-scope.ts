import { readMember, readResponse } from '../../contract/evidence.ts';
import type { Step } from '../../contract/probe.ts';
import { defineFamily, type Shown } from '../../contract/rule.ts';
import { credential, hook } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';

const isNew: readonly expect.Expectation[] = [expect.status(200), expect.noReplay];
const isReplayed: expect.Expectation = expect.orUnreplayable(expect.status(200, expect.replay));
/** A submission is created with 201; the retry table says 200 of whatever is replayed (OP-079). */
const isReplayedHandle: expect.Expectation = expect.status([200, 201], expect.replay);

/** A call with the longest key that is allowed; all characters but the last are the same. */
function longKey(name: string, last: 'a' | 'A' | 'b'): Step {
  const call = { label: 'key-long', to: send.scriptedPath, value: { note: 'long key' } };
  return send.underNewKey(name, call, (key) => key.padEnd(send.longestKey - 1, '-') + last);
}

const note = 'twenty-six letters, no less';

/**
 * The changed calls conflict, and the original can still be repeated. The changes are such as only a whole comparison sees:
 * the same length, the same names, the same provider.
 */
function conflicting(name: string, next: Partial<send.KeyedCall>, first = send.scriptedPath): Shown {
  const call = { label: `key-${name}`, to: first, value: { note } };
  const changed = ['changed', 'changed-again'];
  return {
    probe: [
      send.seed,
      send.keyed('first', call, send.completed),
      ...changed.map((step) => send.keyed(step, { ...call, ...next }, send.rejected)),
      send.keyed('restored', call),
    ],
    check: expect.first(
      expect.on(changed, expect.conflict),
      expect.on(changed, expect.noReplay),
      expect.on('restored', isReplayed),
    ),
  };
}

/** Only beside a provider has the other parameter a meaning (MR-RUN-08). */
const byAlternate = `${send.scriptedPath}?model_provider=${send.alternate}&strict_mode=`;
const conflictRequirements = ['MR-IDM-16', 'MR-CTG-04', 'MR-IDM-01', 'MR-HDR-14'];
const twoQueues = { label: 'key-two-queues', to: send.scriptedQueue, value: {} };
const twoPaths = { label: 'key-paths', to: send.scriptedPath, value: { note: 'run' } };

const comparisonRules = defineFamily(send.scripted)({
  'idempotency.key.long-ones-are-told-apart': {
    concern: 'results',
    sentence: 'Long keys that differ only at their end are different keys.',
    requires: send.scriptedOr('input'),
    requirements: ['MR-IDM-32', 'MR-IDM-01'],
    probe: [
      send.seed,
      longKey('one', 'a'),
      longKey('another', 'b'),
      longKey('in-capitals', 'A'),
      longKey('one-again', 'a'),
    ],
    check: expect.all(expect.on(['one', 'another', 'in-capitals'], ...isNew), expect.on('one-again', isReplayed)),
  },
  'idempotency.conflict.body-of-the-same-length': {
    sentence: 'Another body of the same length under a used key is refused with 409 invalid_input.',
    requires: send.scriptedOr('input'),
    requirements: ['MR-IDM-27', ...conflictRequirements],
    ...conflicting('body-of-the-same-length', { value: { note: `${note.slice(0, -1)}S` } }),
  },
  'idempotency.conflict.query-of-the-same-names': {
    sentence: 'Another value of a query parameter under a used key is refused with 409 invalid_input.',
    requires: hook('outcomes', 'alternate'),
    requirements: ['MR-IDM-26', ...conflictRequirements],
    ...conflicting('query-of-the-same-names', { to: `${byAlternate}true` }, `${byAlternate}false`),
  },
  'idempotency.conflict.query-that-names-a-fallback': {
    sentence: 'A query that names a fallback under a used key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-26', ...conflictRequirements],
    ...conflicting('query-that-names-a-fallback', { to: `${send.scriptedPath}?fallback_provider=${send.alternate}` }),
  },
  'idempotency.conflict.query-that-names-a-provider': {
    sentence: 'A query that names a provider under a used key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-26', ...conflictRequirements],
    ...conflicting('query-that-names-a-provider', { to: `${send.scriptedPath}?model_provider=${send.alternate}` }),
  },
  'idempotency.conflict.submission-to-another-model': {
    sentence: 'A submission to another model under a used key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18', 'MR-IDM-01', 'MR-SUB-12', 'MR-HDR-14'],
    probe: [
      send.seed,
      send.keyed('first', twoQueues, send.created),
      send.keyed('elsewhere', { ...twoQueues, to: `${send.alternatePath}/requests` }),
      send.keyed('restored', twoQueues),
    ],
    check: expect.first(
      expect.on('elsewhere', expect.conflict),
      expect.on('restored', isReplayedHandle, expect.sameMember('/request_id', 'first')),
    ),
  },
  'idempotency.path.queue-and-run-conflict': {
    sentence: 'A submission under the key of a run is refused with 409 invalid_input, and the other way round.',
    requires: send.scriptedOr('input'),
    requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18'],
    reading: 'OP-045',
    probe: [
      send.seed,
      send.keyed('run', twoPaths, send.completed),
      send.keyed('submit', { ...twoPaths, to: send.scriptedQueue }, send.rejected),
    ],
    check: expect.on('submit', expect.conflict),
  },
});

const byKey = { parts: send.asCaller('main') };
const byToken = { parts: send.withToken('main') };
const keyFirst = { label: 'caller-key-first', to: send.scriptedPath, value: { note: 'either form' } };
const tokenFirst = { ...keyFirst, label: 'caller-token-first' };
const eitherQueue = { ...keyFirst, label: 'caller-queue', to: send.scriptedQueue };

const byColleague = { parts: send.asCaller('colleague') };
const ours = { label: 'caller-mate', to: send.scriptedPath, value: { note: 'mine' } };
const oursQueued = { ...ours, label: 'caller-mate-queue', to: send.scriptedQueue };
const amongColleagues = [
  send.seed,
  send.keyed('mine', ours, send.completed),
  send.keyed('theirs', { ...ours, ...byColleague, value: { note: 'theirs' } }, send.rejected),
  send.keyed('queued', oursQueued, send.created),
  send.keyed('theirs-queued', { ...oursQueued, ...byColleague }),
];

/** MR-IDM-44: a conflict is as good as the record. */
const expectSameHandleOrConflict = expect.where(
  ({ status }) => status !== 409,
  expect.status([200, 201], expect.sameMember('/request_id', 'queued')),
);

const byNeighbour = { parts: send.asCaller('neighbour') };
const bySolo = { parts: send.asCaller('solo') };

/** The same key and call from three callers who share nothing; a second key the other way round. */
const whose = { label: 'key-scopes', to: send.scriptedPath, value: { outcome: 'echo', note: 'whose' } };
const whoseToo = { ...whose, label: 'key-scopes-too' };
const threeCallers = [
  send.seed,
  send.keyed('solo', { ...whose, ...bySolo }, send.completed),
  send.keyed('solo-again', { ...whose, ...bySolo }),
  send.keyed('main', whose),
  send.keyed('neighbour', { ...whose, ...byNeighbour }),
  send.keyed('other-body', { ...whose, ...bySolo, value: { note: 'else' } }, send.rejected),
  send.keyed('main-first', whoseToo, send.completed),
  send.keyed('solo-second', { ...whoseToo, ...bySolo }),
];

const slow = { label: 'key-foreign-run', to: send.scriptedPath, value: { note: 'mine', delay_ms: 600 } };
const mine = { to: send.scriptedPath, value: { note: 'mine' } };
const theirs = { to: send.scriptedPath, value: { note: 'theirs' }, ...byNeighbour };
const queued = { label: 'key-foreign-queue', to: send.scriptedQueue, value: { note: 'mine' } };
const twoWorkspaces = [
  send.seed,
  send.keyed('mine', slow),
  send.keyed('theirs-meanwhile', { ...slow, ...byNeighbour }, { alongside: true, afterMs: 150 }),
  send.keyed('theirs-first', { ...theirs, label: 'key-foreign-two' }),
  send.keyed('mine-second', { ...mine, label: 'key-foreign-two' }),
  send.keyed('mine-first', { ...mine, label: 'key-foreign-three' }),
  send.keyed('theirs-second', { ...theirs, label: 'key-foreign-three' }),
  send.keyed('queued', queued, send.created),
  send.keyed('theirs-queued', { ...queued, ...byNeighbour }),
];

const freeKey = [expect.notStatus([409], 'a key that is free'), expect.noReplay];

const expectOwnRequest: expect.Expectation = (response, context, evidence) => {
  const wrong = [expect.status(201), expect.noReplay].flatMap((expectation) =>
    expectation(response, context, evidence),
  );
  const [id, other] = [readResponse(evidence, 'queued'), response].map((one) => readMember(one, '/request_id'));
  if (wrong.length > 0 || id === undefined || id !== other) return wrong;
  return expect.wrongAt(response.step, '/request_id', 'a request of its own', 'that of a neighbour');
};

const colleagueRules = defineFamily({
  ...send.scripted,
  requires: [...send.scriptedOr('input'), ...credential('router', 'colleague')],
  probe: amongColleagues,
})({
  'idempotency.caller.is-one-in-either-header': {
    sentence: 'An API key and a bearer token of one caller share their idempotency keys.',
    requirements: ['MR-IDM-40', 'MR-IDM-01', 'MR-AUT-04', 'MR-HDR-14'],
    requires: send.scriptedOr('input'),
    probe: [
      send.seed,
      send.keyed('key-first', { ...keyFirst, ...byKey }, send.completed),
      send.keyed('token-again', { ...keyFirst, ...byToken }),
      send.keyed('token-first', { ...tokenFirst, ...byToken }, send.completed),
      send.keyed('key-again', { ...tokenFirst, ...byKey }),
      send.keyed('queued', { ...eitherQueue, ...byKey }, send.created),
      send.keyed('queued-again', { ...eitherQueue, ...byToken }),
    ],
    check: expect.all(expect.on(['token-again', 'key-again'], isReplayed), expect.on('queued-again', isReplayedHandle)),
  },
  'idempotency.caller.colleague-with-another-body-conflicts': {
    sentence: 'A colleague with another body under a used key gets 409 invalid_input.',
    requirements: ['MR-IDM-27', 'MR-IDM-40', 'MR-IDM-16'],
    check: expect.on('theirs', expect.conflict),
  },
  'idempotency.caller.colleague-queues-nothing-twice': {
    sentence: "A colleague's submission under a used key queues nothing again.",
    requirements: ['MR-IDM-40', 'MR-SUB-12'],
    check: expect.on('theirs-queued', expectSameHandleOrConflict),
  },
});

const callerRules = defineFamily({
  ...send.scripted,
  requires: [...send.scriptedOr('input'), ...credential('router', 'solo')],
  probe: threeCallers,
})({
  'idempotency.caller.without-a-workspace-has-keys-of-its-own': {
    concern: 'access',
    sentence: 'A caller without a workspace does not see the keys of others.',
    requirements: ['MR-IDM-41', 'MR-HDR-14'],
    check: expect.all(expect.on(['solo-second', 'main'], ...isNew), expect.on('solo-again', isReplayed)),
  },
  'idempotency.scope.user-without-workspace': {
    concern: 'access',
    sentence: "The keys of a caller without a workspace are the caller's own.",
    requirements: ['MR-IDM-41'],
    check: expect.on('solo-again', isReplayed),
  },
  'idempotency.scope.user-and-workspace-are-two': {
    concern: 'access',
    sentence: 'Keys of a caller and keys of a workspace are kept apart.',
    requirements: ['MR-IDM-41', 'MR-IDM-40', 'MR-IDM-45'],
    requires: [...send.scriptedOr('input'), ...credential('router', 'solo', 'neighbour')],
    check: expect.on(['main', 'neighbour'], ...isNew),
  },
  'idempotency.scope.user-conflicts-with-himself': {
    sentence: "Another body under a caller's own key is refused as invalid_input.",
    requirements: ['MR-IDM-41', 'MR-IDM-16', 'MR-IDM-27'],
    check: expect.on('other-body', expect.conflict),
  },
});

const workspaceRules = defineFamily({
  ...send.scripted,
  requires: [...send.scriptedOr('input', 'slowInput'), ...credential('router', 'neighbour')],
  probe: twoWorkspaces,
})({
  'idempotency.scope.workspaces-do-not-wait-for-each-other': {
    concern: 'access',
    sentence: 'A running call of one workspace does not hold up the same key of another.',
    requirements: ['MR-IDM-40', 'MR-IDM-32', 'MR-HDR-14'],
    check: expect.on('theirs-meanwhile', ...freeKey),
  },
  'idempotency.scope.workspaces-do-not-conflict': {
    concern: 'access',
    sentence: 'The same key in two workspaces does not conflict.',
    requirements: ['MR-IDM-40', 'MR-HDR-14'],
    check: expect.on(['theirs-first', 'mine-second', 'mine-first', 'theirs-second'], ...freeKey),
  },
  'idempotency.scope.workspaces-queue-apart': {
    concern: 'access',
    sentence: 'The same key in two workspaces queues two requests.',
    requirements: ['MR-IDM-40', 'MR-HDR-14'],
    check: expect.on('theirs-queued', expectOwnRequest),
  },
});

export const keyScopeRules = [comparisonRules, callerRules, workspaceRules, colleagueRules].flat();
