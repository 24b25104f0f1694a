import type { JsonObject } from '../../../../specs/src/index.ts';
import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Verdict } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { requireHeader, requireStatus, wholeSeconds } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { requireSameBytes } from '../vocabulary/byte-comparison.ts';
import { isReplay, replayMark, requireConflict, requireNotReplayed } from '../vocabulary/keyed-calls.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { keyed, seed } from '../vocabulary/router-steps.ts';
import { toldPath, toldRule } from '../vocabulary/told-runs.ts';

const family = 'idempotency';

/** While the first call is held, the same one again, one with another body, and one with another key. */
const whileRunning = (context: ProbeContext): Probe => {
  const call = { label: 'key-running', to: toldPath, value: { delay_ms: 700, note: 'held' } };
  const during = { alongside: true, afterMs: 150 } as const;
  return {
    steps: [
      seed,
      keyed('held', context, call),
      keyed('again', context, call, during),
      keyed('other-body', context, { ...call, value: { note: 'another' } }, during),
      keyed('other-key', context, { ...call, label: 'key-running-other', value: { note: 'free' } }, during),
      keyed('after', context, call),
    ],
  };
};
const running = 'idempotency.running.is-409';

const late: Verdict = {
  kind: 'not-observable',
  because: 'the calls did not arrive in the order in which they were sent',
};

/** A slow way may bring the retry when all is over, or before the call that it repeats. */
function cameLate(evidence: Evidence): boolean {
  const [held, again] = [responseOf(evidence, 'held'), responseOf(evidence, 'again')];
  return again.status === 200 && (isReplay(again) || isReplay(held) || held.status === 409);
}

const runningRules: readonly Rule[] = [
  toldRule({
    id: running,
    family,
    requirements: ['MR-IDM-04', 'MR-STC-06', 'MR-RUN-46'],
    probe: whileRunning,
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'again');
      if (cameLate(evidence)) return late;
      const status = requireStatus(answer, 409);
      return status.length > 0 ? status : requireCategory(answer, context, 'concurrency_limit_exceeded');
    },
  }),
  toldRule({
    id: 'idempotency.running.says-when-to-retry',
    family,
    requirements: ['MR-IDM-05', 'MR-RUN-47', 'MR-HDR-15'],
    needs: [running],
    probe: whileRunning,
    judge: (evidence) =>
      cameLate(evidence) ? late : requireHeader(responseOf(evidence, 'again'), 'Retry-After', wholeSeconds),
  }),
  toldRule({
    id: 'idempotency.running.another-body-conflicts',
    family,
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    probe: whileRunning,
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'other-body'), context),
  }),
  toldRule({
    id: 'idempotency.running.another-key-runs',
    family,
    requirements: ['MR-IDM-32'],
    probe: whileRunning,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'other-key');
      return [...requireStatus(answer, 200), ...requireNotReplayed(answer)];
    },
  }),
  toldRule({
    id: 'idempotency.running.first-call-is-served',
    family,
    requirements: ['MR-RUN-03', 'MR-IDM-04'],
    probe: whileRunning,
    judge: (evidence) => (cameLate(evidence) ? late : requireStatus(responseOf(evidence, 'held'), 200)),
  }),
  toldRule({
    id: 'idempotency.running.replays-when-over',
    family,
    requirements: ['MR-IDM-01', 'MR-HDR-14'],
    needs: ['idempotency.running.first-call-is-served'],
    probe: whileRunning,
    judge: (evidence) => {
      const after = responseOf(evidence, 'after');
      const status = requireStatus(after, 200);
      if (status.length > 0) return status;
      return [
        ...requireHeader(after, 'Idempotent-Replayed', replayMark),
        ...requireSameBytes(after, responseOf(evidence, 'held')),
      ];
    },
  }),
];

const accepted: JsonObject = { outcome: 'deadline_exceeded', delay_ms: 1_000, note: 'accepted' };
const collectable = (context: ProbeContext): Probe => {
  const call = { label: 'key-collect', to: toldPath, value: accepted };
  return {
    steps: [
      seed,
      keyed('missed', context, call),
      keyed('early', context, call),
      keyed('other-body', context, { ...call, value: { note: 'another' } }),
      keyed('collected', context, call, { afterMs: 1_100 }),
      keyed('again', context, call),
    ],
  };
};
const missed = 'idempotency.deadline.is-504-with-a-hint';

const collectRules: readonly Rule[] = [
  toldRule({
    id: missed,
    family,
    requirements: ['MR-IDM-07', 'MR-RUN-60', 'MR-RUN-58', 'MR-CTG-16'],
    probe: collectable,
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'missed');
      const status = requireStatus(answer, 504);
      if (status.length > 0) return status;
      return [
        ...requireCategory(answer, context, 'deadline_exceeded'),
        ...requireHeader(answer, 'Retry-After', wholeSeconds),
      ];
    },
  }),
  toldRule({
    id: 'idempotency.deadline.upstream-has-accepted',
    family,
    requirements: ['MR-RUN-59', 'MR-HDR-05'],
    needs: [missed],
    probe: collectable,
    judge: (evidence, { headers }) =>
      requireHeader(responseOf(evidence, 'missed'), headers.upstreamStatus, {
        expected: 'the three digits of a success',
        is: (value) => /^2\d\d$/.test(value.trim()),
      }),
  }),
  toldRule({
    id: 'idempotency.deadline.is-still-running',
    family,
    requirements: ['MR-IDM-07', 'MR-IDM-34'],
    needs: [missed],
    probe: collectable,
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'early');
      // The work may have ended meanwhile. Else either row fits: it runs (409), or it still cannot be handed over (504).
      if (answer.status === 200) return requireHeader(answer, 'Idempotent-Replayed', replayMark);
      const status = requireStatus(answer, 504, 409);
      if (status.length > 0) return status;
      return [
        ...requireCategory(answer, context, 'deadline_exceeded', 'concurrency_limit_exceeded'),
        ...requireHeader(answer, 'Retry-After', wholeSeconds),
      ];
    },
  }),
  toldRule({
    id: 'idempotency.deadline.another-body-conflicts',
    family,
    requirements: ['MR-IDM-16', 'MR-IDM-27', 'MR-CTG-04'],
    needs: [missed],
    probe: collectable,
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'other-body'), context),
  }),
  toldRule({
    id: 'idempotency.deadline.key-collects',
    family,
    requirements: ['MR-IDM-01', 'MR-IDM-07', 'MR-IDM-34', 'MR-HDR-14'],
    needs: [missed],
    probe: collectable,
    judge: (evidence) => {
      const collected = responseOf(evidence, 'collected');
      const status = requireStatus(collected, 200);
      return status.length > 0 ? status : requireHeader(collected, 'Idempotent-Replayed', replayMark);
    },
  }),
  toldRule({
    id: 'idempotency.deadline.is-collected-alike',
    family,
    requirements: ['MR-IDM-01'],
    needs: ['idempotency.deadline.key-collects'],
    probe: collectable,
    judge: (evidence) => requireSameBytes(responseOf(evidence, 'again'), responseOf(evidence, 'collected')),
  }),
];

/** Nothing was dispatched: whoever was refused may come again with the key. */
const released = (context: ProbeContext): Probe => ({
  steps: [
    seed,
    ...['internal_error', 'service_unavailable'].flatMap((outcome) => {
      const call = { label: `key-${outcome}`, to: toldPath, value: { outcome } };
      return [keyed(outcome, context, call), keyed(`${outcome}-then`, context, { ...call, value: { note: 'other' } })];
    }),
  ],
});

const releaseRule = toldRule({
  id: 'idempotency.rejection.leaves-the-key-free',
  family,
  requirements: ['MR-IDM-33'],
  probe: released,
  judge: (evidence) =>
    ['internal_error', 'service_unavailable'].flatMap((outcome) => {
      const answer = responseOf(evidence, `${outcome}-then`);
      return [...requireStatus(answer, 200), ...requireNotReplayed(answer)];
    }),
});

export const idempotencyRunningRules: readonly Rule[] = [...runningRules, ...collectRules, releaseRule];
