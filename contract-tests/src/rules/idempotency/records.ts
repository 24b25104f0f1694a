import type { JsonObject } from '../../../../specs/src/index.ts';
import { isReplay, outage, readResponse } from '../../contract/evidence.ts';
import { defineFamily, type Shown } from '../../contract/rule.ts';
import { type CredentialName, credential, hook } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';

function repeated(name: string, value: JsonObject, expectation: expect.Expectation, mustAnswer = [200]) {
  const call = { label: `key-${name}`, to: send.scriptedPath, value };
  const probe = [send.seed, send.keyed('first', call, { mustAnswer }), send.keyed('again', call)];
  return { probe, check: expect.on('again', expectation) };
}

/** Of a succeeded call nothing may be left to repeat: waiting does not help (MR-IDM-17). */
const unreplayableRequirements = ['MR-IDM-17', 'MR-CTG-05'];

/** How much is too much to keep is not documented: a server that keeps more replays it (MR-IDM-28). */
const expectConflictOrReplay = expect.either(
  (response) => isReplay(response) && response.status !== 409,
  expect.status(200, expect.sameValue('first')),
  expect.conflict,
);
const expectSameReplay = expect.status(200, expect.replay, expect.sameResult('first'));

/** A provider's refusal is on record like any result; the replay header is allowed on it, not required. */
function refusedAgain(name: string, outcome: string, status: number): Shown {
  const expectation = expect.status(status, expect.where(isReplay, expect.sameValue('first')));
  return {
    // An input of the owner may succeed.
    probe: ({ isScripted }) => repeated(name, { outcome }, expectation, isScripted ? [status] : [status, 200]).probe,
    check: expect.ifItFails('first', expect.on('again', expectation)),
  };
}

const withAssets = hook('outcomes', 'assets');

const replayedHandle = { label: 'key-handle', to: send.scriptedQueue, value: {} };

const recordRules = defineFamily(send.scripted)({
  'idempotency.record.oversized-cannot-be-replayed': {
    sentence:
      'A result that is too large to keep answers its key with 409 invalid_input; one that was kept is replayed.',
    requirements: ['MR-IDM-28', 'MR-IDM-53', ...unreplayableRequirements],
    ...repeated('oversized', { size_bytes: 1_200_000 }, expectConflictOrReplay),
  },
  'idempotency.record.failed-copy-cannot-be-replayed': {
    sentence: 'A result whose asset could not be copied answers its key with 409 invalid_input.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', ...unreplayableRequirements],
    reading: 'OP-095',
    requires: withAssets,
    ...repeated('failed-copy', { assets: [{ hosting: 'hosted_24h' }, { hosting: 'failed_copy' }] }, expect.conflict),
  },
  'idempotency.record.provider-asset-cannot-be-replayed': {
    sentence: 'A result with an asset of the provider answers its key with 409 invalid_input.',
    requirements: ['MR-IDM-30', 'MR-IDM-52', ...unreplayableRequirements],
    reading: 'OP-095',
    requires: withAssets,
    ...repeated('provider-asset', { assets: [{ hosting: 'provider' }] }, expect.conflict),
  },
  'idempotency.record.lost-handle-cannot-be-replayed': {
    sentence: 'A call whose provider handle was lost answers its key with 409 invalid_input.',
    requirements: ['MR-IDM-53', ...unreplayableRequirements],
    reading: 'OP-108',
    ...repeated('lost-handle', send.lostWork, expect.conflict, [200, 504]),
  },
  'idempotency.record.long-is-replayed': {
    sentence: 'A long result is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-109',
    ...repeated('long', { size_bytes: 200_000 }, expectSameReplay),
  },
  'idempotency.record.hosted-asset-is-replayed': {
    sentence: 'A result with hosted assets is replayed.',
    requirements: ['MR-IDM-52', 'MR-AST-17', 'MR-HDR-14'],
    requires: withAssets,
    ...repeated('hosted-asset', { assets: [{ hosting: 'hosted_24h' }] }, expectSameReplay),
  },
  'idempotency.record.inline-asset-is-replayed': {
    sentence: 'A result with inline assets is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-095',
    requires: withAssets,
    ...repeated('inline-asset', { assets: [{ hosting: 'inline' }] }, expectSameReplay),
  },
  'idempotency.record.file-is-replayed': {
    sentence: 'A result that is a file is replayed.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    reading: 'OP-109',
    ...repeated('file', { media_type: 'image/png' }, expectSameReplay),
  },
  'idempotency.record.policy-is-repeated': {
    concern: 'results',
    sentence: 'A policy rejection is repeated under its key.',
    requires: send.scriptedOr('rejectedInput'),
    requirements: ['MR-RUN-42', 'MR-IDM-01'],
    reading: 'OP-078',
    ...refusedAgain('policy', 'content_policy_violation', 400),
  },
  'idempotency.record.refused-input-is-repeated': {
    concern: 'results',
    sentence: 'An input that the provider refused is refused again under its key.',
    requirements: ['MR-RUN-50', 'MR-IDM-01'],
    reading: 'OP-078',
    ...refusedAgain('refused-input', 'refused_input', 422),
  },
  'idempotency.submission.replayed-handle-leads-to-its-request': {
    sentence: 'A replayed handle leads to the request of the first submission.',
    requires: send.scriptedOr('input'),
    requirements: ['MR-SUB-12', 'MR-QUE-20', 'MR-QUE-23'],
    probe: [
      send.seed,
      send.keyed('first', replayedHandle, send.created),
      send.keyed('again', replayedHandle, { mustAnswer: [200, 201] }),
      send.followIfGiven('status', { of: 'again', at: '/status_url' }),
    ],
    check: expect.unless(
      (evidence) => !isReplay(readResponse(evidence, 'again')),
      'nothing was replayed',
      // Other rules check which success it is.
      expect.ifSent(
        'status',
        expect.where(({ status }) => status >= 300, expect.status(200)),
      ),
    ),
  },
});

/** `servedAt`: the path of the call that is accepted, where the refusal has another. */
type Refused = Pick<send.KeyedCall, 'to' | 'value'> & Partial<send.KeyedCall> & { readonly servedAt?: string };

function refusedThenAccepted(label: string, refused: readonly Refused[], mustAnswer?: readonly number[]): Shown {
  // Without a status that is due the input asks for a failure, which may be a 503.
  const repeated = { ...send.rejected, ...(mustAnswer === undefined && { toShow: outage }) };
  const refusal = { ...repeated, ...(mustAnswer && { mustAnswer }) };
  const listSteps = (name: string) => refused.map((_, index) => `${name}-${index}`);
  return {
    probe: [
      send.seed,
      ...refused.flatMap(({ servedAt, ...given }, index) => {
        const call = { label: `${label}-${index}`, ...given };
        return [
          send.keyed(`refused-${index}`, call, refusal),
          send.keyed(`again-${index}`, call, repeated),
          send.keyed(`accepted-${index}`, { label: call.label, to: servedAt ?? call.to, value: { note: 'better' } }),
        ];
      }),
    ],
    check: expect.all(
      expect.on(listSteps('again'), expect.noReplay),
      expect.on(listSteps('accepted'), expect.status([200, 201]), expect.noReplay),
    ),
  };
}

function refusedCaller(who: CredentialName<'router'>, mustAnswer: readonly number[]) {
  const calls = [send.scriptedPath, send.scriptedQueue].map((to) => ({ to, value: {}, parts: send.asCaller(who) }));
  return {
    requires: [...send.scriptedOr('input'), ...credential('router', who)],
    ...refusedThenAccepted(`caller-${who}`, calls, mustAnswer),
  };
}

const invalid = { delay_ms: 'soon' };

/** Nothing was dispatched, so nothing was recorded and the key stays free (MR-IDM-33). */
const rejectionRules = defineFamily({ ...send.scripted, requires: send.scriptedOr('input') })({
  'idempotency.rejection.run-of-invalid-input-leaves-the-key-free': {
    concern: 'results',
    sentence: 'A run with an invalid input leaves its key free.',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedThenAccepted('key-run', [{ to: send.scriptedPath, value: invalid }], [422]),
  },
  'idempotency.rejection.submission-of-invalid-input-leaves-the-key-free': {
    concern: 'results',
    sentence: 'A submission with an invalid input leaves its key free.',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedThenAccepted('key-submission', [{ to: send.scriptedQueue, value: invalid }], [422]),
  },
  'idempotency.rejection.run-of-an-unknown-model-leaves-the-key-free': {
    concern: 'results',
    sentence: 'A run of an unknown model leaves its key free.',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedThenAccepted('key-model', [{ to: send.unknownModelPath, value: {}, servedAt: send.scriptedPath }], [404]),
  },
  'idempotency.rejection.of-a-caller-without-credits-leaves-the-key-free': {
    concern: 'results',
    sentence: 'A call refused for lack of credits leaves its key free.',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedCaller('noCredits', [400, 402]),
  },
  'idempotency.rejection.of-a-barred-caller-leaves-the-key-free': {
    concern: 'results',
    sentence: 'A call refused for lack of access leaves its key free.',
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    ...refusedCaller('noAccess', [403]),
  },
  'idempotency.rejection.leaves-the-key-free': {
    concern: 'results',
    sentence: 'A call that was rejected before it reached a provider leaves its key free.',
    requirements: ['MR-IDM-33'],
    requires: send.scripted.requires,
    ...refusedThenAccepted(
      'key-undispatched',
      ['internal_error', 'service_unavailable'].map((outcome) => ({ to: send.scriptedPath, value: { outcome } })),
    ),
  },
});

export const keyRecordRules = [...recordRules, ...rejectionRules];
