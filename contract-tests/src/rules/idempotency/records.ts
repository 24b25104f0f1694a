import type { JsonObject } from '../../../../specs/src/index.ts';
import { readResponse } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import { defineFamily, type Rule, type Shown } from '../../contract/rule.ts';
import { type CredentialName, credential, hook } from '../../requires.ts';
import { allChecks, type Expectation, onResponse, onResponseIfSent, unless } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import {
  created,
  expectConflict,
  expectNoReplay,
  expectReplay,
  isReplay,
  type KeyedCall,
  keyed,
  rejected,
  seed,
} from '../builders/keyed-calls.ts';
import { asCaller, followIfGiven, unknownSiblingPath } from '../builders/router-steps.ts';
import { expectSameResult, expectSameValue } from '../builders/same-response.ts';
import { ifItFails, lostWork, scripted, scriptedOr, scriptedPath, scriptedQueue } from '../builders/scripted-runs.ts';

function twice(name: string, value: JsonObject, mustAnswer: readonly number[] = [200]) {
  const call = { label: `key-${name}`, to: scriptedPath, value };
  return [seed, keyed('first', call, { mustAnswer }), keyed('again', call)];
}

/** Succeeded calls of which nothing is left to repeat: waiting does not help (MR-IDM-17). */
const unreplayable = (name: string, input: JsonObject, expectation = expectConflict): Shown => ({
  probe: twice(name, input, [200, 504]),
  check: onResponse('again', expectation),
});
const unreplayableRequirements = ['MR-IDM-17', 'MR-CTG-05'];

/** How much is too much to keep is not documented: a server that keeps more replays it (MR-IDM-28). */
const expectConflictOrReplay: Expectation = (response, context, evidence) =>
  (isReplay(response) && response.status !== 409 ? expect.status(200, expectSameValue('first')) : expectConflict)(
    response,
    context,
    evidence,
  );

/** The same kinds of call with a replayable result. */
const replayable = (name: string, input: JsonObject): Shown => ({
  probe: twice(name, input),
  check: onResponse('again', expect.status(200, expectReplay, expectSameResult('first'))),
});

/** A provider's refusal is on record like any result; the replay header is allowed on it, not required. */
const repeatable = (name: string, outcome: string, status: number): Shown => ({
  probe: ({ isScripted }) => twice(name, { outcome }, isScripted ? [status] : [status, 200]),
  check: ifItFails(
    'first',
    onResponse('again', expect.status(status), expect.where(isReplay, expectSameValue('first'))),
  ),
});

/** Assets are a hook of their own. */
const withAssets = hook('outcomes', 'assets');

/** A replayed handle leads to the same request. */
const replayedHandle = { label: 'key-handle', to: scriptedQueue, value: {} };

const recordRules = defineFamily(scripted, {
  'idempotency.record.oversized-cannot-be-replayed': {
    sentence:
      'A result that is too large to keep answers its key with 409 invalid_input; one that was kept is replayed.',
    requirements: ['MR-IDM-28', 'MR-IDM-53', ...unreplayableRequirements],
    ...unreplayable('oversized', { size_bytes: 1_200_000 }, expectConflictOrReplay),
  },
  'idempotency.record.failed-copy-cannot-be-replayed': {
    sentence: 'A result whose asset could not be copied answers its key with 409 invalid_input.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', ...unreplayableRequirements],
    reading: 'NS-95',
    requires: withAssets,
    ...unreplayable('failed-copy', { assets: [{ hosting: 'hosted_24h' }, { hosting: 'failed_copy' }] }),
  },
  'idempotency.record.provider-asset-cannot-be-replayed': {
    sentence: 'A result with an asset of the provider answers its key with 409 invalid_input.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', ...unreplayableRequirements],
    reading: 'NS-95',
    requires: withAssets,
    ...unreplayable('provider-asset', { assets: [{ hosting: 'provider' }] }),
  },
  'idempotency.record.lost-handle-cannot-be-replayed': {
    sentence: 'A call whose provider handle was lost answers its key with 409 invalid_input.',
    requirements: ['MR-IDM-53', ...unreplayableRequirements],
    reading: 'NS-108',
    ...unreplayable('lost-handle', lostWork),
  },
  'idempotency.record.long-is-replayed': {
    sentence: 'A long result is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'NS-109',
    ...replayable('long', { size_bytes: 200_000 }),
  },
  'idempotency.record.hosted-asset-is-replayed': {
    sentence: 'A result with hosted assets is replayed.',
    requirements: ['MR-IDM-52', 'MR-AST-17', 'MR-HDR-14'],
    requires: withAssets,
    ...replayable('hosted-asset', { assets: [{ hosting: 'hosted_24h' }] }),
  },
  'idempotency.record.inline-asset-is-replayed': {
    sentence: 'A result with inline assets is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'NS-95',
    requires: withAssets,
    ...replayable('inline-asset', { assets: [{ hosting: 'inline' }] }),
  },
  'idempotency.record.file-is-replayed': {
    sentence: 'A result that is a file is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'NS-109',
    ...replayable('file', { media_type: 'image/png' }),
  },
  'idempotency.record.policy-is-repeated': {
    sentence: 'A policy rejection is repeated under its key.',
    requires: scriptedOr('rejectedInput'),
    requirements: ['MR-RUN-42', 'MR-IDM-01'],
    reading: 'NS-78',
    ...repeatable('policy', 'content_policy_violation', 400),
  },
  'idempotency.record.refused-input-is-repeated': {
    sentence: 'An input that the provider refused is refused again under its key.',
    requirements: ['MR-RUN-50', 'MR-IDM-01'],
    reading: 'NS-78',
    ...repeatable('refused-input', 'refused_input', 422),
  },
  'idempotency.submission.replayed-handle-leads-to-its-request': {
    sentence: 'A replayed handle leads to the request of the first submission.',
    requires: scriptedOr('input'),
    requirements: ['MR-SUB-12', 'MR-QUE-20', 'MR-QUE-23'],
    probe: [
      seed,
      keyed('first', replayedHandle, created),
      keyed('again', replayedHandle, { mustAnswer: [200, 201] }),
      followIfGiven('status', { of: 'again', at: '/status_url' }),
    ],
    check: unless(
      (evidence) => !isReplay(readResponse(evidence, 'again')),
      notApplicable('nothing was replayed'),
      // Other rules check which success it is.
      onResponseIfSent('status', (response, context, evidence) =>
        response.status < 300 ? [] : expect.status(200)(response, context, evidence),
      ),
    ),
  },
});

/** A refused call leaves the key free for another body on the same route. */
function refusedThenAccepted(label: string, to: string, refused: Pick<KeyedCall, 'value'> & Partial<KeyedCall>): Shown {
  const call = { label, to, ...refused };
  return {
    probe: [
      seed,
      keyed('rejected', call, { mustAnswer: [404, 422], ...rejected }),
      keyed('rejected-again', call, rejected),
      keyed('accepted', { label, to, value: { note: 'better' } }),
    ],
    check: allChecks(
      onResponse('rejected-again', expectNoReplay),
      onResponse('accepted', expect.status([200, 201]), expectNoReplay),
    ),
  };
}

/** A caller who is refused on both routes, and then another one under the same keys. */
function refusedCaller(who: CredentialName<'router'>, mustAnswer: readonly number[]) {
  const run = { label: `caller-${who}`, to: scriptedPath, value: { note: 'first' } };
  const queued = { ...run, label: `caller-${who}-queue`, to: scriptedQueue };
  const second = { value: { note: 'second' } };
  const options = { mustAnswer, ...rejected };
  return {
    requires: [...scriptedOr('input'), ...credential('router', who)],
    probe: [
      seed,
      keyed('refused', { ...run, parts: asCaller(who) }, options),
      keyed('accepted', { ...run, ...second }),
      keyed('refused-queue', { ...queued, parts: asCaller(who) }, options),
      keyed('accepted-queue', { ...queued, ...second }),
    ],
    check: onResponse(['accepted', 'accepted-queue'], expect.status([200, 201]), expectNoReplay),
  };
}

const undispatched = ['internal_error', 'service_unavailable'];

/** Nothing was dispatched, so nothing was recorded and the key stays free (MR-IDM-33). */
const rejectionRules = defineFamily(scripted, {
  'idempotency.rejection.run-of-invalid-input-leaves-the-key-free': {
    sentence: 'A run with an invalid input leaves its key free.',
    requires: scriptedOr('input'),
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedThenAccepted('key-run-of-invalid-input', scriptedPath, { value: { delay_ms: 'soon' } }),
  },
  'idempotency.rejection.submission-of-invalid-input-leaves-the-key-free': {
    sentence: 'A submission with an invalid input leaves its key free.',
    requires: scriptedOr('input'),
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedThenAccepted('key-submission-of-invalid-input', scriptedQueue, { value: { delay_ms: 'soon' } }),
  },
  'idempotency.rejection.run-of-an-unknown-model-leaves-the-key-free': {
    sentence: 'A run of an unknown model leaves its key free.',
    requires: scriptedOr('input'),
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedThenAccepted('key-run-of-an-unknown-model', scriptedPath, {
      value: {},
      to: unknownSiblingPath({ provider: 'sandbox' }),
    }),
  },
  'idempotency.rejection.of-a-caller-without-credits-leaves-the-key-free': {
    sentence: 'A call refused for lack of credits leaves its key free.',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedCaller('noCredits', [400, 402]),
  },
  'idempotency.rejection.of-a-barred-caller-leaves-the-key-free': {
    sentence: 'A call refused for lack of access leaves its key free.',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedCaller('noAccess', [403]),
  },
  'idempotency.rejection.leaves-the-key-free': {
    sentence: 'A call that was rejected before it reached a provider leaves its key free.',
    requirements: ['MR-IDM-33'],
    probe: [
      seed,
      ...undispatched.flatMap((outcome) => {
        const call = { label: `key-${outcome}`, to: scriptedPath, value: { outcome } };
        return [keyed(outcome, call), keyed(`${outcome}-then`, { ...call, value: { note: 'other' } })];
      }),
    ],
    check: onResponse(
      undispatched.map((outcome) => `${outcome}-then`),
      expect.status(200),
      expectNoReplay,
    ),
  },
});

export const keyRecordRules: readonly Rule[] = [...recordRules, ...rejectionRules];
