import { computeEnd, isReplay, readResponse, selectStep } from '../../contract/evidence.ts';
import type { Evidence } from '../../contract/probe.ts';
import { type Check, defineFamily } from '../../contract/rule.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';

const held = { label: 'key-running', to: send.scriptedPath, value: { delay_ms: 2_500, note: 'held' } };
const meanwhile = { alongside: true, afterMs: 150 } as const;

/** While the first call runs: the same one again, one with another body, and one with another key. */
const whileRunning = [
  send.seed,
  send.keyed('held', held),
  send.keyed('again', held, meanwhile),
  send.keyed('other-body', { ...held, value: { note: 'another' } }, meanwhile),
  send.keyed('other-key', { ...held, label: 'key-running-other', value: { note: 'another' } }, meanwhile),
  send.keyed('after', held),
];

/** On a slow network the retry may arrive when all is over, or before the call that it repeats. */
function cameLate(evidence: Evidence): boolean {
  const [first, again] = [readResponse(evidence, 'held'), readResponse(evidence, 'again')];
  return again.status === 200 && (isReplay(again) || isReplay(first) || first.status === 409);
}
const inOrder = (check: Check): Check =>
  expect.unless(cameLate, 'the calls did not arrive in the order in which they were sent', check);

/** How many calls of a workspace may run is not given (OP-008): where it is one, the other calls are refused, and that is all that shows. */
const unlessLimited = (check: Check): Check =>
  expect.unless(isLimited, 'the workspace may have no further call in flight', check);

/** Where a call with another key was answered after the first one had ended, it does not show what came before. */
function isLimited(evidence: Evidence): boolean {
  if (expect.answeredWith('other-key', 429)(evidence)) return true;
  const [held, other] = ['held', 'other-key'].map((step) => Math.max(...selectStep(evidence, step).map(computeEnd)));
  const isLate = held !== undefined && other !== undefined && other >= held;
  return isLate && ['again', 'other-body'].some((step) => expect.answeredWith(step, 429)(evidence));
}

/** Two rows of the retry table fit: the body differs, and the call still runs (OP-100). */
const expectOtherBodyRefused = expect.error(409, 'invalid_input', 'concurrency_limit_exceeded');

const runningRules = defineFamily({
  ...send.scripted,
  requires: send.scriptedOr('input', 'slowInput'),
  probe: whileRunning,
})({
  'idempotency.running.is-409': {
    sentence: 'A second call while the first one with its key runs is refused with 409 concurrency_limit_exceeded.',
    requirements: ['MR-IDM-04', 'MR-STC-06', 'MR-RUN-46'],
    check: unlessLimited(inOrder(expect.on('again', expect.error(409, 'concurrency_limit_exceeded')))),
  },
  'idempotency.running.another-body-conflicts': {
    sentence: 'Another body under the key of a running call is refused with 409.',
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    check: unlessLimited(expect.on('other-body', expectOtherBodyRefused)),
  },
  'idempotency.running.another-key-runs': {
    concern: 'results',
    sentence: 'Another key runs while a call is under way.',
    requirements: ['MR-IDM-32'],
    check: unlessLimited(expect.on('other-key', expect.status(200), expect.noReplay)),
  },
  'idempotency.running.first-call-is-served': {
    concern: 'results',
    sentence: 'The first call is served although a second one came under its key.',
    requirements: ['MR-RUN-03', 'MR-IDM-04'],
    check: inOrder(expect.on('held', expect.status(200))),
  },
  'idempotency.running.replays-when-over': {
    sentence: 'The key of a running call replays its result when the call is over.',
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    needs: ['idempotency.running.first-call-is-served'],
    check: expect.on('after', expect.status(200, expect.replay, expect.sameValue('held'))),
  },
});

const late = { outcome: 'deadline_exceeded', delay_ms: 1_000, note: 'accepted' };
const accepted = { label: 'key-collect', to: send.scriptedPath, value: late };

/** A call that misses its deadline while the provider goes on; its key collects the result. */
const collectable = [
  send.seed,
  send.keyed('missed', accepted),
  send.keyed('early', accepted),
  send.keyed('other-body', { ...accepted, value: { note: 'another' } }),
  send.keyed('collected', accepted, { afterMs: 1_100 }),
  send.keyed('again', accepted),
];
const expectHint = expect.header('Retry-After', expect.wholeSeconds);

/** Unless the work has ended meanwhile, either row fits: it runs (409), or it cannot be handed over yet (504). */
const expectStillRunning = expect.either(
  ({ status }) => status === 200,
  expect.replay,
  expect.status([504, 409], expect.category('deadline_exceeded', 'concurrency_limit_exceeded'), expectHint),
);

const deadlineRules = defineFamily({
  ...send.scripted,
  needs: ['idempotency.deadline.is-504-with-a-hint'],
  probe: collectable,
})({
  'idempotency.deadline.is-504-with-a-hint': {
    concern: 'results',
    sentence: 'A call that outlives the deadline answers 504 deadline_exceeded and says when to return.',
    requirements: ['MR-IDM-07', 'MR-RUN-60', 'MR-RUN-58', 'MR-CTG-16'],
    check: expect.on('missed', expect.status(504, expect.category('deadline_exceeded'), expectHint)),
  },
  'idempotency.deadline.upstream-has-accepted': {
    concern: 'results',
    sentence: 'A 504 whose work goes on names the status with which the provider accepted it.',
    requirements: ['MR-RUN-59', 'MR-HDR-05'],
    reading: 'OP-033',
    check: expect.on('missed', expect.header('upstreamStatus', expect.formed('the digits of a success', /^2\d\d$/))),
  },
  'idempotency.deadline.is-still-running': {
    sentence: 'After such a 504 a repeat has to come back later, or gets the result as a replay.',
    requirements: ['MR-IDM-07', 'MR-IDM-34'],
    check: expect.on('early', expectStillRunning),
  },
  'idempotency.deadline.another-body-conflicts': {
    sentence: 'Another body under the key of such a call is refused with 409.',
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    check: expect.on('other-body', expectOtherBodyRefused),
  },
  'idempotency.deadline.key-collects': {
    sentence: 'After such a 504 the key collects the result.',
    requirements: ['MR-IDM-01', 'MR-IDM-07', 'MR-IDM-34', 'MR-HDR-14'],
    check: expect.on('collected', expect.status(200, expect.replay)),
  },
  'idempotency.deadline.is-collected-alike': {
    concern: 'results',
    sentence: 'A result that the key collects later is replayed as it was collected.',
    requirements: ['MR-IDM-01'],
    needs: ['idempotency.deadline.key-collects'],
    check: expect.on('again', expect.sameValue('collected')),
  },
});

export const runningCallRules = [...runningRules, ...deadlineRules];
