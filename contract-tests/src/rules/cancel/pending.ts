import { type Answer, headerOf, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft, Verdict } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { requireHeader, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { exactly, filled, oneOf, text } from '../vocabulary/matchers.ts';
import { follow, followCancel, polled, submitted } from '../vocabulary/router-steps.ts';

const family = 'cancel';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const requested = 'cancel.pending.is-requested';
const effective = 'cancel.pending.ends-with-an-error-type';

const cancelled = (context: ProbeContext): Probe => ({
  steps: [
    submitted(context),
    followCancel('cancel'),
    polled(),
    follow('again', 'status_url', { afterMs: 600 }),
    follow('collect', 'response_url'),
  ],
});

/** The members both cancel answers share (MR-CAN-08 to MR-CAN-10). */
export function cancelMembers(evidence: Evidence, name: string): readonly Draft[] {
  const answer = responseOf(evidence, name);
  const submittedId = memberOf(responseOf(evidence, 'submit'), '/request_id');
  return [
    ...requireMember(answer, '/request_id', submittedId === undefined ? text : exactly(submittedId)),
    ...requireMember(answer, '/status', oneOf('CANCELLATION_REQUESTED', 'ALREADY_COMPLETED')),
  ];
}

/** The run was over before the cancellation arrived: no rule on pending requests can be judged. */
function cameTooLate(evidence: Evidence): boolean {
  const isRefused = responseOf(evidence, 'cancel').status === 409;
  return isRefused && finishedNonetheless(evidence);
}

/** MR-CAN-11: a live run may finish all the same; then its result can be collected. */
function finishedNonetheless(evidence: Evidence): boolean {
  const error = memberOf(responseOf(evidence, 'end'), '/error_type');
  return error === undefined && responseOf(evidence, 'collect').status === 200;
}

const tooLate: Verdict = { kind: 'not-observable', because: 'the run was over before the cancellation arrived' };

function ifEffective(evidence: Evidence, judge: (end: Answer) => readonly Draft[]): Verdict {
  return finishedNonetheless(evidence) ? tooLate : judge(responseOf(evidence, 'end'));
}

export const cancelPendingRules: readonly Rule[] = [
  defineRule({
    id: requested,
    family,
    requirements: ['MR-CAN-03', 'MR-QUE-26'],
    api,
    cost,
    appliesTo,
    probe: cancelled,
    judge: (evidence) => {
      if (cameTooLate(evidence)) return tooLate;
      const answer = responseOf(evidence, 'cancel');
      const status = requireStatus(answer, 202);
      return status.length > 0 ? status : requireMember(answer, '/status', exactly('CANCELLATION_REQUESTED'));
    },
  }),
  defineRule({
    id: 'cancel.pending.is-a-cancel-response',
    family,
    requirements: ['MR-CAN-08', 'MR-CAN-09', 'MR-CAN-10'],
    api,
    cost,
    appliesTo,
    probe: cancelled,
    judge: (evidence) => cancelMembers(evidence, 'cancel'),
  }),
  defineRule({
    id: 'cancel.pending.carries-request-id-header',
    family,
    requirements: ['MR-CAN-06', 'MR-HDR-01'],
    needs: [requested],
    api,
    cost,
    appliesTo,
    probe: cancelled,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'cancel'), headers.requestId, filled),
  }),
  defineRule({
    id: effective,
    family,
    requirements: ['MR-STA-13'],
    needs: [requested],
    api,
    cost,
    appliesTo,
    probe: cancelled,
    judge: (evidence) =>
      ifEffective(evidence, (end) => [
        ...requireMember(end, '/status', exactly('COMPLETED')),
        ...requireMember(end, '/error_type', text),
      ]),
  }),
  defineRule({
    id: 'cancel.pending.is-called-cancelled',
    family,
    requirements: ['MR-CTG-20'],
    needs: [effective],
    api,
    cost,
    appliesTo,
    probe: cancelled,
    judge: (evidence) => ifEffective(evidence, (end) => requireMember(end, '/error_type', exactly('cancelled'))),
  }),
  defineRule({
    id: 'cancel.cancelled.is-final',
    family,
    requirements: ['MR-CTG-21', 'MR-QUE-33'],
    needs: [effective],
    api,
    cost,
    appliesTo,
    probe: cancelled,
    judge: (evidence) =>
      ifEffective(evidence, (end) => {
        const again = responseOf(evidence, 'again');
        const error = memberOf(end, '/error_type') ?? 'cancelled';
        return [
          ...requireMember(again, '/status', exactly('COMPLETED')),
          ...requireMember(again, '/error_type', exactly(error)),
        ];
      }),
  }),
  defineRule({
    id: 'cancel.cancelled.collected',
    family,
    requirements: ['MR-COL-16'],
    needs: [effective],
    api,
    cost,
    appliesTo,
    probe: cancelled,
    judge: (evidence, { headers }) => {
      const { status, ...answer } = responseOf(evidence, 'collect');
      const category = headerOf(answer, headers.errorType) ?? 'no category';
      return { kind: 'observed', observation: `collecting it is answered with ${status} ${category} (NS-38, NS-40)` };
    },
  }),
];
