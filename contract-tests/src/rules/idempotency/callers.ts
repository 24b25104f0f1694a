import { defineFamily, type Family, type Rule } from '../../contract/rule.ts';
import { credential } from '../../requires.ts';
import { allChecks, onResponse } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { completed, created, expectConflict, keyed, rejected, seed } from '../builders/keyed-calls.ts';
import { asCaller, withToken } from '../builders/router-steps.ts';
import { scripted, scriptedOr, scriptedPath, scriptedQueue } from '../builders/scripted-runs.ts';
import { bySolo, isNew, isReplayed, isReplayedHandle } from './key-scope.ts';

const byKey = { parts: asCaller('main') };
const byToken = { parts: withToken('main') };
const byColleague = { parts: asCaller('colleague') };

const keyFirst = { label: 'caller-key-first', to: scriptedPath, value: { note: 'either form' } };
const tokenFirst = { ...keyFirst, label: 'caller-token-first' };
const eitherQueue = { ...keyFirst, label: 'caller-queue', to: scriptedQueue };
const mine = { label: 'caller-mate', to: scriptedPath, value: { note: 'mine' } };
const mineQueued = { label: 'caller-mate-queue', to: scriptedQueue, value: { note: 'mine' } };
const solo = { label: 'caller-solo', to: scriptedPath, value: { note: 'the same' } };
const soloFirst = { ...solo, label: 'caller-solo-first' };

const amongColleagues = [
  seed,
  keyed('mine', mine, completed),
  keyed('theirs', { ...mine, ...byColleague, value: { note: 'theirs' } }, rejected),
  keyed('queued', mineQueued, created),
  keyed('theirs-queued', { ...mineQueued, ...byColleague }),
];

/** MR-IDM-44: a conflict is as good as the record. */
const expectSameHandleOrConflict = expect.where(
  ({ status }) => status !== 409,
  expect.status([200, 201], expect.sameMember('/request_id', 'queued')),
);

const keyCaller: Family = {
  ...scripted,
  requires: [...scriptedOr('input'), ...credential('router', 'colleague')],
  probe: amongColleagues,
};

export const keyCallerRules: readonly Rule[] = defineFamily(keyCaller, {
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
  'idempotency.caller.without-a-workspace-has-keys-of-its-own': {
    sentence: 'A caller without a workspace does not see the keys of others.',
    requirements: ['MR-IDM-41', 'MR-HDR-14'],
    requires: [...scriptedOr('input'), ...credential('router', 'solo')],
    probe: [
      seed,
      keyed('mine', solo, completed),
      keyed('solo', { ...solo, ...bySolo }),
      keyed('solo-first', { ...soloFirst, ...bySolo }),
      keyed('mine-second', soloFirst),
      keyed('solo-again', { ...solo, ...bySolo }),
    ],
    check: allChecks(onResponse(['solo', 'mine-second'], ...isNew), onResponse('solo-again', isReplayed)),
  },
});
