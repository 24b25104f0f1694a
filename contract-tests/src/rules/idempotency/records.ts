import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readResponse } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import { defineFamily, type Rule } from '../../contract/rule.ts';
import { credential, hook } from '../../requires.ts';
import {
  allChecks,
  type Expectation,
  expectStatus,
  onResponse,
  onResponseIfSent,
  unless,
} from '../builders/expectations.ts';
import {
  created,
  expectConflict,
  expectNoReplay,
  expectReplay,
  isReplay,
  keyed,
  seed,
} from '../builders/keyed-calls.ts';
import { asCaller, followIfGiven, unknownSiblingPath } from '../builders/router-steps.ts';
import { expectSameBytes, expectSameResult } from '../builders/same-response.ts';
import { ifItFails, scriptedOr, scriptedPath, scriptedQueue } from '../builders/scripted-runs.ts';
import { idempotency } from './key-scope.ts';

function twice(name: string, value: JsonObject, mustAnswer: readonly number[] = [200]) {
  const call = { label: `key-${name}`, to: scriptedPath, value };
  return [seed, keyed('first', call, { mustAnswer }), keyed('again', call)];
}

/** Assets are a hook of their own. */
const requireAssets = (input: JsonObject) =>
  input['assets'] === undefined ? {} : { requires: hook('outcomes', 'assets') };

type Recorded = {
  readonly name: string;
  readonly sentence: string;
  readonly input: JsonObject;
  readonly requirements: readonly string[];
};

/** Succeeded calls of which nothing is left to repeat: waiting does not help (MR-IDM-17). */
const unreplayable: readonly Recorded[] = [
  {
    name: 'oversized',
    sentence:
      'A result that is too large to keep answers its key with 409 invalid_input; one that was kept is replayed.',
    input: { size_bytes: 1_200_000 },
    requirements: ['MR-IDM-28', 'MR-IDM-53'],
  },
  {
    name: 'failed-copy',
    sentence: 'A result whose asset could not be copied answers its key with 409 invalid_input.',

    input: { assets: [{ hosting: 'hosted_24h' }, { hosting: 'failed_copy' }] },
    requirements: ['MR-IDM-30', 'MR-IDM-52'],
  },
  {
    name: 'provider-asset',
    sentence: 'A result with an asset of the provider answers its key with 409 invalid_input.',
    input: { assets: [{ hosting: 'provider' }] },
    requirements: ['MR-IDM-30', 'MR-IDM-52'],
  },
  {
    name: 'lost-handle',
    sentence: 'A call whose provider handle was lost answers its key with 409 invalid_input.',
    input: { outcome: 'deadline_exceeded', collectable: false },
    requirements: ['MR-IDM-53'],
  },
];

/** How much is too much to keep is not documented: a server that keeps more replays it (MR-IDM-28). */
const expectConflictOrReplay: Expectation = (response, context, evidence) =>
  (isReplay(response) && response.status !== 409 ? expectStatus(200, expectSameBytes('first')) : expectConflict)(
    response,
    context,
    evidence,
  );

/** The same kinds of call with a replayable result. */
const replayable: readonly Recorded[] = [
  { name: 'long', sentence: 'A long result is replayed.', input: { size_bytes: 200_000 }, requirements: ['MR-IDM-01'] },
  {
    name: 'hosted-asset',
    sentence: 'A result with hosted assets is replayed.',
    input: { assets: [{ hosting: 'hosted_24h' }] },
    requirements: ['MR-IDM-52', 'MR-AST-17'],
  },
  {
    name: 'inline-asset',
    sentence: 'A result with inline assets is replayed.',
    input: { assets: [{ hosting: 'inline' }] },
    requirements: ['MR-IDM-01'],
  },
  {
    name: 'file',
    sentence: 'A result that is a file is replayed.',
    input: { media_type: 'image/png' },
    requirements: ['MR-IDM-01'],
  },
];

/** A provider's refusal is on record like any result (MR-RUN-42, MR-RUN-50). */
const recordedFailures = [
  {
    name: 'policy',
    sentence: 'A policy rejection is repeated under its key.',
    outcome: 'content_policy_violation',
    status: 400,
    requirement: 'MR-RUN-42',
  },
  {
    name: 'refused-input',
    sentence: 'An input that the provider refused is refused again under its key.',
    outcome: 'refused_input',
    status: 422,
    requirement: 'MR-RUN-50',
  },
];

/** The replay header is allowed on a failure, not required. */
const expectSameBytesOnReplay: Expectation = (response, context, evidence) =>
  isReplay(response) ? expectSameBytes('first')(response, context, evidence) : [];

/** A replayed handle leads to the same request. */
const replayedHandle = { label: 'key-handle', to: scriptedQueue, value: {} };

const recordRules = defineFamily(idempotency, [
  ...unreplayable.map(({ name, sentence, input, requirements }) => ({
    id: `idempotency.record.${name}-cannot-be-replayed`,
    sentence,
    requirements: [...requirements, 'MR-IDM-17', 'MR-CTG-05'],
    ...requireAssets(input),
    probe: twice(name, input, [200, 504]),
    check: onResponse('again', name === 'oversized' ? expectConflictOrReplay : expectConflict),
  })),
  ...replayable.map(({ name, sentence, input, requirements }) => ({
    id: `idempotency.record.${name}-is-replayed`,
    sentence,
    requirements: [...requirements, 'MR-HDR-14'],
    ...requireAssets(input),
    probe: twice(name, input),
    check: onResponse('again', expectStatus(200, expectReplay, expectSameResult('first'))),
  })),
  ...recordedFailures.map(({ name, sentence, outcome, status, requirement }) => ({
    id: `idempotency.record.${name}-is-repeated`,
    sentence,
    ...(name === 'policy' ? { requires: scriptedOr('rejectedInput') } : {}),
    requirements: [requirement, 'MR-IDM-01'],
    probe: ({ isScripted }: ProbeContext) => twice(name, { outcome }, isScripted ? [status] : [status, 200]),
    check: ifItFails('first', onResponse('again', expectStatus(status), expectSameBytesOnReplay)),
  })),
  {
    id: 'idempotency.submission.replayed-handle-leads-to-its-request',
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
        response.status < 300 ? [] : expectStatus(200)(response, context, evidence),
      ),
    ),
  },
]);

/** Both routes of the scripted model; a refused call leaves the key free for another body on the same route. */
function refusedThenAccepted(label: string, refused: { to?: string; value: unknown; queued?: boolean }) {
  const to = refused.queued ? scriptedQueue : scriptedPath;
  const rejected = { label, to: refused.to ?? to, value: refused.value };
  return [
    seed,
    keyed('rejected', rejected, { mustAnswer: [404, 422], mustBeRejected: true }),
    keyed('rejected-again', rejected, { mustBeRejected: true }),
    keyed('accepted', { label, to, value: { note: 'better' } }),
  ];
}

const rejections = [
  {
    name: 'run-of-invalid-input',
    sentence: 'A run with an invalid input leaves its key free.',
    value: { delay_ms: 'soon' },
  },
  {
    name: 'submission-of-invalid-input',
    sentence: 'A submission with an invalid input leaves its key free.',
    value: { delay_ms: 'soon' },
    queued: true,
  },
  {
    name: 'run-of-an-unknown-model',
    sentence: 'A run of an unknown model leaves its key free.',
    value: {},
    to: unknownSiblingPath({ provider: 'sandbox' }),
  },
];

const refusedCallers = [
  { who: 'noCredits', name: 'a-caller-without-credits', lack: 'credits', status: [400, 402] },
  { who: 'noAccess', name: 'a-barred-caller', lack: 'access', status: [403] },
] as const;

function refusedCallerThenMain(who: 'noCredits' | 'noAccess', mustAnswer: readonly number[]) {
  const run = { label: `caller-${who}`, to: scriptedPath, value: { note: 'first' } };
  const queued = { ...run, label: `caller-${who}-queue`, to: scriptedQueue };
  const second = { value: { note: 'second' } };
  return [
    seed,
    keyed('refused', { ...run, parts: asCaller(who) }, { mustAnswer, mustBeRejected: true }),
    keyed('accepted', { ...run, ...second }),
    keyed('refused-queue', { ...queued, parts: asCaller(who) }, { mustAnswer, mustBeRejected: true }),
    keyed('accepted-queue', { ...queued, ...second }),
  ];
}

const undispatched = ['internal_error', 'service_unavailable'];

/** Nothing was dispatched, so nothing was recorded and the key stays free (MR-IDM-33). */
const rejectionRules = defineFamily(idempotency, [
  ...rejections.map(({ name, sentence, ...refused }) => ({
    id: `idempotency.rejection.${name}-leaves-the-key-free`,
    sentence,
    requires: scriptedOr('input'),
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    probe: refusedThenAccepted(`key-${name}`, refused),
    check: allChecks(
      onResponse('rejected-again', expectNoReplay),
      onResponse('accepted', expectStatus([200, 201]), expectNoReplay),
    ),
  })),
  ...refusedCallers.map(({ who, name, lack, status }) => ({
    id: `idempotency.rejection.of-${name}-leaves-the-key-free`,
    sentence: `A call refused for lack of ${lack} leaves its key free.`,
    requirements: ['MR-IDM-33', 'MR-HDR-14'],
    requires: [...scriptedOr('input'), ...credential('router', who)],
    probe: refusedCallerThenMain(who, status),
    check: onResponse(['accepted', 'accepted-queue'], expectStatus([200, 201]), expectNoReplay),
  })),
  {
    id: 'idempotency.rejection.leaves-the-key-free',
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
      expectStatus(200),
      expectNoReplay,
    ),
  },
]);

export const keyRecordRules: readonly Rule[] = [...recordRules, ...rejectionRules];
