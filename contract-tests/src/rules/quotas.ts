import { allResponses, computeEnd, readMember, readResponse, selectStep } from '../contract/evidence.ts';
import { finding, notApplicable } from '../contract/finding.ts';
import type { Evidence, Exchange, WireResponse } from '../contract/probe.ts';
import { defineFamily } from '../contract/rule.ts';
import { type CredentialName, credential, hook } from '../requires.ts';
import * as expect from './builders/expect.ts';
import * as send from './builders/send.ts';

const currentHeader = 'X-Committed-Spend-Current';

const solo = send.asCaller('solo');
const once = { label: 'spend', to: send.scriptedPath, value: {}, parts: solo };
const failures = ['provider_error', 'content_policy_violation', 'provider_timeout', 'internal_error'];

const committed = (response: Pick<WireResponse, 'headers'>): number => expect.readCents(response, currentHeader);

type Comparison = (current: number, before: number) => boolean;
const isFree: Comparison = (current, before) => current <= before;
const isReserved: Comparison = (current, before) => current > before;

function untilCommitted(isReached: Comparison, atMost: number, everyMs: number): send.StepOptions {
  const until = ({ result }: Exchange, earlier: Evidence): boolean =>
    result.kind === 'response' && isReached(committed(result), committed(readResponse(earlier, 'before')));
  return { repeat: { until, atMost, everyMs, mayNeverHold: true } };
}

/** Calls of other rules may hold spend for a moment; spend that is never released stays. */
const untilFree = untilCommitted(isFree, 8, 250);
/** The held call may reach the server late, so others are sent until one shows that it runs. */
const untilReserved = untilCommitted(isReserved, 7, 1_000);
const heldMs = 2_000;

/** All by one caller, so that the committed spend is that of these calls. */
const spending = [
  send.scriptedRun('before', {}, solo, send.completed),
  send.scriptedRun('held', { delay_ms: heldMs }, solo),
  send.scriptedRun('during', {}, solo, { alongside: true, afterMs: 150, ...untilReserved }),
  send.scriptedRun('during-too', {}, solo, { alongside: true, afterMs: 300 }), // a reply may be slow
  send.scriptedRun('after', {}, solo, untilFree),
  send.scriptedSubmit('queued', { delay_ms: 6_000 }, solo), // it waits for a late cancellation
  send.follow('cancel', 'cancel_url', { of: 'queued', ...solo, mustAnswer: [202] }),
  send.follow('cancelled', 'status_url', { of: 'queued', ...solo, repeat: send.untilCompleted }),
  send.scriptedRun('after-cancellation', {}, solo, untilFree),
  ...failures.map((outcome) => send.scriptedRun(outcome, { outcome }, solo)),
  send.scriptedRun('after-failures', {}, solo, untilFree),
  send.keyed('first', once),
  send.keyed('again', once),
  send.scriptedRun('invalid', { outcome: 'none-of-them' }, solo),
  send.scriptedRun('after-unserved', {}, solo, untilFree),
];

function expectCommitted(isExpected: Comparison, words: string): expect.Expectation {
  return (response, _, evidence) => {
    const [current, before] = [committed(response), committed(readResponse(evidence, 'before'))];
    const at = { step: response.step, header: currentHeader };
    return isExpected(current, before) ? [] : [finding('values-differ', at, `${words} ${before}`, String(current))];
  };
}

const expectFree = expectCommitted(isFree, 'at most');

function endsWhileHeld(one: Exchange, evidence: Evidence): boolean {
  const end = Math.max(...selectStep(evidence, 'held').map(computeEnd));
  return computeEnd(one) <= end && computeEnd(one) >= end - heldMs;
}

const spendRules = defineFamily({
  ...send.scripted,
  requires: [...hook('outcomes'), ...credential('router', 'solo')],
  probe: spending,
})({
  'quotas.spend.is-reserved-while-a-call-runs': {
    sentence: 'The committed spend grows while a call runs.',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    // Whether queued requests count as calls in flight is open (OP-210).
    check: (evidence, context) => {
      const others = evidence.filter(({ step }) => step === 'during' || step === 'during-too');
      const before = committed(readResponse(evidence, 'before'));
      if (allResponses(others).some((response) => committed(response) > before)) return [];
      const [first] = allResponses(others.filter((one) => endsWhileHeld(one, evidence)));
      if (first === undefined) return notApplicable('no other call was answered while the held one surely ran');
      return expectCommitted(isReserved, 'more than')(first, context, evidence);
    },
  },
  'quotas.spend.is-free-again-at-the-end': {
    sentence: 'The committed spend of a call is free again at its end.',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    partReading: 'OP-050',
    check: expect.all(
      expect.on(['after', 'after-failures', 'after-unserved'], expectFree),
      // A cancelled run may go on at its provider.
      expect.asRead('OP-050', expect.on('after-cancellation', expectFree)),
    ),
  },
});

function refusedTo(who: CredentialName<'router'>, expectation: expect.Expectation) {
  // The quota of requests holds for the queue too; whether the cap on spend does is open (OP-210).
  const isOpen = who === 'spendCapped';
  const options = { mustAnswer: [200, 201, 400, 402, 403, 429, 500, 503], ...(isOpen ? {} : send.rejected) };
  return {
    requires: [...send.scriptedOr('input'), ...credential('router', who)],
    probe: [send.scriptedSubmit('submit', {}, send.asCaller(who), options)],
    check: expect.unless(
      (evidence) => isOpen && readResponse(evidence, 'submit').status === 201,
      'queued requests do not count towards the cap on spend',
      expect.on('submit', expectation),
    ),
  };
}

const soonMs = 400;
const unused = { path: send.alternatePath, input: {} };

const queueRules = defineFamily(send.scripted)({
  'quotas.submit.rate-limited': {
    sentence: 'A submission over the rate limit is refused with 429 rate_limited.',
    requirements: ['MR-IDM-10', 'MR-STC-14', 'MR-CTG-19'],
    reading: 'OP-102',
    ...refusedTo(
      'rateLimited',
      expect.status(429, expect.category('rate_limited'), expect.header('Retry-After', expect.wholeSeconds)),
    ),
  },
  'quotas.submit.concurrency-limit-exceeded': {
    sentence: 'A submission that is refused for the committed spend gets 429 concurrency_limit_exceeded.',
    requirements: ['MR-IDM-13', 'MR-STC-14', 'MR-CTG-13'],
    reading: 'OP-071',
    ...refusedTo('spendCapped', expect.error(429, 'concurrency_limit_exceeded')),
  },
  'quotas.submit.insufficient-credits': {
    sentence: 'A submission without credits is refused with 402 insufficient_credits.',
    requirements: ['MR-SUB-15', 'MR-STC-03', 'MR-CTG-09'],
    ...refusedTo('noCredits', expect.error(402, 'insufficient_credits')),
  },
  'quotas.queue.positions-count-those-ahead': {
    concern: 'results',
    sentence: 'The queue position counts the requests ahead.',
    requirements: ['MR-QUE-09', 'MR-QUE-10', 'MR-QUE-07'],
    requires: [...hook('outcomes', 'alternate'), ...credential('router', 'neighbour')],
    // Two at once on a model that no other rule submits to.
    probe: [
      send.submit('one', unused, send.asCaller('neighbour')),
      send.submit('two', unused, send.asCaller('neighbour'), { alongside: true }),
    ],
    check: (evidence, context) => {
      const status = expect.on(['one', 'two'], expect.status(201))(evidence, context);
      if (status.length > 0) return status;
      const positions = ['one', 'two'].map((name) => readMember(readResponse(evidence, name), '/queue_position'));
      if (!positions.every((position) => typeof position === 'number')) return notApplicable('no position was given');
      // Where nobody has to wait both are at the front.
      if (new Set(positions).size === positions.length || positions[0] === 0) return [];
      // After a late response the queue may be empty again.
      if (evidence.some(({ timing }) => timing.durationMs > soonMs))
        return notApplicable(`the handles took more than ${soonMs} ms`);
      const expected = 'two places, for one is behind the other';
      return expect.wrongAt('two', '/queue_position', expected, positions.join(' and '));
    },
  },
});

export const quotaRules = [...spendRules, ...queueRules];
