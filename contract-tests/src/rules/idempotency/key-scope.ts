import { readMember, readResponse } from '../../contract/evidence.ts';
import type { Step } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule, type Shown } from '../../contract/rule.ts';
import { credential, hook } from '../../requires.ts';
import { allChecks, type Expectation, firstFailing, onResponse, wrongValue } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import {
  completed,
  created,
  expectConflict,
  expectNoReplay,
  expectReplay,
  type KeyedCall,
  keyed,
  longestKey,
  rejected,
  seed,
  underNewKey,
  unlessLinked,
} from '../builders/keyed-calls.ts';
import { asCaller, withToken } from '../builders/router-steps.ts';
import {
  alternate,
  alternatePath,
  scripted,
  scriptedOr,
  scriptedPath,
  scriptedQueue,
} from '../builders/scripted-runs.ts';

const isNew: readonly Expectation[] = [expect.status(200), expectNoReplay];
const isReplayed: Expectation = unlessLinked(expect.status(200, expectReplay));
/** A submission is created with 201; the retry table says 200 of whatever is replayed (NS-79). */
const isReplayedHandle: Expectation = expect.status([200, 201], expectReplay);

/** A call with the longest key that is allowed; all characters but the last are the same. */
function longKey(name: string, last: 'a' | 'A' | 'b'): Step {
  const call = { label: 'key-long', to: scriptedPath, value: { note: 'long key' } };
  return underNewKey(name, call, (key) => key.padEnd(longestKey - 1, '-') + last);
}

const note = 'twenty-six letters, no less';

/**
 * The changed calls conflict, and the original can still be repeated. The changes are such as only a whole comparison sees:
 * the same length, the same names, the same provider.
 */
function conflicting(name: string, next: Partial<KeyedCall>, first = scriptedPath): Shown {
  const call = { label: `key-${name}`, to: first, value: { note } };
  const changed = ['changed', 'changed-again'];
  return {
    probe: [
      seed,
      keyed('first', call, completed),
      ...changed.map((step) => keyed(step, { ...call, ...next }, rejected)),
      keyed('restored', call),
    ],
    check: firstFailing(
      onResponse(changed, expectConflict),
      onResponse(changed, expectNoReplay),
      onResponse('restored', isReplayed),
    ),
  };
}

/** Only beside a provider has the other parameter a meaning (MR-RUN-08). */
const byAlternate = `${scriptedPath}?model_provider=${alternate}&strict_mode=`;
const conflictRequirements = ['MR-IDM-16', 'MR-CTG-04', 'MR-IDM-01', 'MR-HDR-14'];
const twoQueues = { label: 'key-two-queues', to: scriptedQueue, value: {} };
const twoPaths = { label: 'key-paths', to: scriptedPath, value: { note: 'run' } };

const comparisonRules = defineFamily(scripted, {
  'idempotency.key.long-ones-are-told-apart': {
    sentence: 'Long keys that differ only at their end are different keys.',
    requires: scriptedOr('input'),
    requirements: ['MR-IDM-32', 'MR-IDM-01'],
    probe: [seed, longKey('one', 'a'), longKey('another', 'b'), longKey('in-capitals', 'A'), longKey('one-again', 'a')],
    check: allChecks(onResponse(['one', 'another', 'in-capitals'], ...isNew), onResponse('one-again', isReplayed)),
  },
  'idempotency.conflict.body-of-the-same-length': {
    sentence: 'Another body of the same length under a used key is refused with 409 invalid_input.',
    requires: scriptedOr('input'),
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
    ...conflicting('query-that-names-a-fallback', { to: `${scriptedPath}?fallback_provider=${alternate}` }),
  },
  'idempotency.conflict.query-that-names-a-provider': {
    sentence: 'A query that names a provider under a used key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-26', ...conflictRequirements],
    ...conflicting('query-that-names-a-provider', { to: `${scriptedPath}?model_provider=${alternate}` }),
  },
  'idempotency.conflict.submission-to-another-model': {
    sentence: 'A submission to another model under a used key is refused with 409 invalid_input.',
    requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18', 'MR-IDM-01', 'MR-SUB-12', 'MR-HDR-14'],
    probe: [
      seed,
      keyed('first', twoQueues, created),
      keyed('elsewhere', { ...twoQueues, to: `${alternatePath}/requests` }),
      keyed('restored', twoQueues),
    ],
    check: firstFailing(
      onResponse('elsewhere', expectConflict),
      onResponse('restored', isReplayedHandle, expect.sameMember('/request_id', 'first')),
    ),
  },
  'idempotency.path.queue-and-run-conflict': {
    sentence: 'A submission under the key of a run is refused with 409 invalid_input, and the other way round.',
    requires: scriptedOr('input'),
    requirements: ['MR-IDM-25', 'MR-IDM-16', 'MR-SUB-18'],
    reading: 'NS-45',
    probe: [seed, keyed('run', twoPaths, completed), keyed('submit', { ...twoPaths, to: scriptedQueue }, rejected)],
    check: onResponse('submit', expectConflict),
  },
});

const byKey = { parts: asCaller('main') };
const byToken = { parts: withToken('main') };
const keyFirst = { label: 'caller-key-first', to: scriptedPath, value: { note: 'either form' } };
const tokenFirst = { ...keyFirst, label: 'caller-token-first' };
const eitherQueue = { ...keyFirst, label: 'caller-queue', to: scriptedQueue };

const byColleague = { parts: asCaller('colleague') };
const ours = { label: 'caller-mate', to: scriptedPath, value: { note: 'mine' } };
const oursQueued = { ...ours, label: 'caller-mate-queue', to: scriptedQueue };
const amongColleagues = [
  seed,
  keyed('mine', ours, completed),
  keyed('theirs', { ...ours, ...byColleague, value: { note: 'theirs' } }, rejected),
  keyed('queued', oursQueued, created),
  keyed('theirs-queued', { ...oursQueued, ...byColleague }),
];

/** MR-IDM-44: a conflict is as good as the record. */
const expectSameHandleOrConflict = expect.where(
  ({ status }) => status !== 409,
  expect.status([200, 201], expect.sameMember('/request_id', 'queued')),
);

const byNeighbour = { parts: asCaller('neighbour') };
const bySolo = { parts: asCaller('solo') };

/** The same key and call from three callers who share nothing; a second key the other way round. */
const whose = { label: 'key-scopes', to: scriptedPath, value: { outcome: 'echo', note: 'whose' } };
const whoseToo = { ...whose, label: 'key-scopes-too' };
const threeCallers = [
  seed,
  keyed('solo', { ...whose, ...bySolo }, completed),
  keyed('solo-again', { ...whose, ...bySolo }),
  keyed('main', whose),
  keyed('neighbour', { ...whose, ...byNeighbour }),
  keyed('other-body', { ...whose, ...bySolo, value: { note: 'else' } }, rejected),
  keyed('main-first', whoseToo, completed),
  keyed('solo-second', { ...whoseToo, ...bySolo }),
];

const slow = { label: 'key-foreign-run', to: scriptedPath, value: { note: 'mine', delay_ms: 600 } };
const mine = { to: scriptedPath, value: { note: 'mine' } };
const theirs = { to: scriptedPath, value: { note: 'theirs' }, ...byNeighbour };
const queued = { label: 'key-foreign-queue', to: scriptedQueue, value: { note: 'mine' } };
const twoWorkspaces = [
  seed,
  keyed('mine', slow),
  keyed('theirs-meanwhile', { ...slow, ...byNeighbour }, { alongside: true, afterMs: 150 }),
  keyed('theirs-first', { ...theirs, label: 'key-foreign-two' }),
  keyed('mine-second', { ...mine, label: 'key-foreign-two' }),
  keyed('mine-first', { ...mine, label: 'key-foreign-three' }),
  keyed('theirs-second', { ...theirs, label: 'key-foreign-three' }),
  keyed('queued', queued, created),
  keyed('theirs-queued', { ...queued, ...byNeighbour }),
];

const freeKey = [expect.statusThat((status) => status !== 409, 'a key that is free'), expectNoReplay];

const expectOwnRequest: Expectation = (response, context, evidence) => {
  const wrong = [expect.status(201), expectNoReplay].flatMap((expectation) => expectation(response, context, evidence));
  const [id, other] = [readResponse(evidence, 'queued'), response].map((one) => readMember(one, '/request_id'));
  if (wrong.length > 0 || id === undefined || id !== other) return wrong;
  return wrongValue(response.step, '/request_id', 'a request of its own', 'that of a neighbour');
};

const ofColleagues: Family = {
  ...scripted,
  requires: [...scriptedOr('input'), ...credential('router', 'colleague')],
  probe: amongColleagues,
};

const colleagueRules = defineFamily(ofColleagues, {
  'idempotency.caller.is-one-in-either-header': {
    sentence: 'An API key and a bearer token of one caller share their idempotency keys.',
    requirements: ['MR-IDM-40', 'MR-IDM-01', 'MR-AUT-04', 'MR-HDR-14'],
    requires: scriptedOr('input'),
    probe: [
      seed,
      keyed('key-first', { ...keyFirst, ...byKey }, completed),
      keyed('token-again', { ...keyFirst, ...byToken }),
      keyed('token-first', { ...tokenFirst, ...byToken }, completed),
      keyed('key-again', { ...tokenFirst, ...byKey }),
      keyed('queued', { ...eitherQueue, ...byKey }, created),
      keyed('queued-again', { ...eitherQueue, ...byToken }),
    ],
    check: allChecks(
      onResponse(['token-again', 'key-again'], isReplayed),
      onResponse('queued-again', isReplayedHandle),
    ),
  },
  'idempotency.caller.colleague-with-another-body-conflicts': {
    sentence: 'A colleague with another body under a used key gets 409 invalid_input.',
    requirements: ['MR-IDM-27', 'MR-IDM-40', 'MR-IDM-16'],
    check: onResponse('theirs', expectConflict),
  },
  'idempotency.caller.colleague-queues-nothing-twice': {
    sentence: "A colleague's submission under a used key queues nothing again.",
    requirements: ['MR-IDM-40', 'MR-SUB-12'],
    check: onResponse('theirs-queued', expectSameHandleOrConflict),
  },
});

const ofCaller: Family = {
  ...scripted,
  requires: [...scriptedOr('input'), ...credential('router', 'solo')],
  probe: threeCallers,
};

const callerRules = defineFamily(ofCaller, {
  'idempotency.caller.without-a-workspace-has-keys-of-its-own': {
    sentence: 'A caller without a workspace does not see the keys of others.',
    requirements: ['MR-IDM-41', 'MR-HDR-14'],
    check: allChecks(onResponse(['solo-second', 'main'], ...isNew), onResponse('solo-again', isReplayed)),
  },
  'idempotency.scope.user-without-workspace': {
    sentence: "The keys of a caller without a workspace are the caller's own.",
    requirements: ['MR-IDM-41'],
    check: onResponse('solo-again', isReplayed),
  },
  'idempotency.scope.user-and-workspace-are-two': {
    sentence: 'Keys of a caller and keys of a workspace are kept apart.',
    requirements: ['MR-IDM-41', 'MR-IDM-40', 'MR-IDM-45'],
    requires: [...scriptedOr('input'), ...credential('router', 'solo', 'neighbour')],
    check: onResponse(['main', 'neighbour'], ...isNew),
  },
  'idempotency.scope.user-conflicts-with-himself': {
    sentence: "Another body under a caller's own key is refused as invalid_input.",
    requirements: ['MR-IDM-41', 'MR-IDM-16', 'MR-IDM-27'],
    check: onResponse('other-body', expectConflict),
  },
});

const ofWorkspace: Family = {
  ...scripted,
  requires: [...scriptedOr('input', 'slowInput'), ...credential('router', 'neighbour')],
  probe: twoWorkspaces,
};

const workspaceRules = defineFamily(ofWorkspace, {
  'idempotency.scope.workspaces-do-not-wait-for-each-other': {
    sentence: 'A running call of one workspace does not hold up the same key of another.',
    requirements: ['MR-IDM-40', 'MR-IDM-32', 'MR-HDR-14'],
    check: onResponse('theirs-meanwhile', ...freeKey),
  },
  'idempotency.scope.workspaces-do-not-conflict': {
    sentence: 'The same key in two workspaces does not conflict.',
    requirements: ['MR-IDM-40', 'MR-HDR-14'],
    check: onResponse(['theirs-first', 'mine-second', 'mine-first', 'theirs-second'], ...freeKey),
  },
  'idempotency.scope.workspaces-queue-apart': {
    sentence: 'The same key in two workspaces queues two requests.',
    requirements: ['MR-IDM-40', 'MR-HDR-14'],
    check: onResponse('theirs-queued', expectOwnRequest),
  },
});

export const keyScopeRules: readonly Rule[] = [comparisonRules, callerRules, workspaceRules, colleagueRules].flat();
