import { exchangesOf, memberOf, responseOf } from '../../answer.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { finding, requireMember, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { ask, tellQueue, toldRule, untilOver } from '../vocabulary/told-runs.ts';

const family = 'submit';
const runMs = 8_000;

/** A run of some seconds, cancelled while it is live at its provider: nobody waits for its end. */
const longRun = (): Probe => ({
  steps: [
    tellQueue('submit', { delay_ms: runMs }),
    ask('early', 'response_url', { of: 'submit' }),
    ask('live', 'status_url', { of: 'submit', afterMs: 300 }),
    ask('cancel', 'cancel_url', { of: 'submit', method: 'PUT' }),
    ask('end', 'status_url', { of: 'submit', repeat: { ...untilOver, atMost: 12, mayNeverHold: true } }),
    ask('collect', 'response_url', { of: 'submit' }),
  ],
});

/** From the submission to the answer to the cancellation, where a slow server may spend the whole run. */
function spentMs(evidence: Evidence): number {
  const [first, last] = [evidence[0]?.timing, exchangesOf(evidence, 'cancel').at(-1)?.timing];
  return first === undefined || last === undefined ? 0 : last.startedAtMs + last.durationMs - first.startedAtMs;
}

export const submitTimingRules: readonly Rule[] = [
  toldRule({
    id: 'submit.handle.comes-at-once',
    family,
    requirements: ['MR-SUB-02'],
    probe: longRun,
    judge: (evidence) => {
      const [submitted] = evidence;
      const tookMs = submitted?.timing.durationMs ?? 0;
      const status = requireMember(responseOf(evidence, 'early'), '/status', {
        expected: 'a request that is not COMPLETED',
        is: (word) => typeof word === 'string' && word !== 'COMPLETED',
      });
      const said = { expected: 'a handle at once', actual: `one after ${tookMs} ms` };
      return tookMs < runMs * 0.9 ? status : [finding('value-unexpected', { step: 'submit' }, said)];
    },
  }),
  toldRule({
    id: 'submit.live.cancellation-is-accepted',
    family,
    requirements: ['MR-CAN-03', 'MR-CAN-10'],
    probe: longRun,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'cancel');
      if (answer.status === 409 && spentMs(evidence) >= runMs)
        return { kind: 'not-observable', because: 'the run was over before the cancellation was asked for' };
      const status = requireStatus(answer, 202);
      return status.length > 0 ? status : requireMember(answer, '/status', exactly('CANCELLATION_REQUESTED'));
    },
  }),
  toldRule({
    id: 'submit.live.ends-cancelled',
    family,
    requirements: ['MR-STA-13', 'MR-CTG-20', 'MR-COL-17'],
    needs: ['submit.live.cancellation-is-accepted'],
    probe: longRun,
    judge: (evidence) => {
      const end = responseOf(evidence, 'end');
      // MR-CAN-11: a live run need not heed it; then it goes on.
      if (end.status === 200 && memberOf(end, '/status') !== 'COMPLETED')
        return { kind: 'not-observable', because: 'the run went on' };
      const cancelled = end.status === 410 ? [] : requireMember(end, '/error_type', exactly('cancelled'));
      // What collecting it gives is open (NS-38, NS-40), but no result.
      const collected = responseOf(evidence, 'collect');
      const said = { expected: 'a refusal', actual: String(collected.status) };
      const isRefused = collected.status >= 400;
      return [...cancelled, ...(isRefused ? [] : [finding('status-unexpected', { step: 'collect' }, said)])];
    },
  }),
];
