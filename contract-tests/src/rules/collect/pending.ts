import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft, Verdict } from '../../finding.ts';
import type { Evidence, Probe } from '../../probe.ts';
import { requireHeader, requireStatus, wholeSeconds } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { statusMembers } from '../status/answers.ts';
import { filled } from '../vocabulary/matchers.ts';
import { follow, submitted } from '../vocabulary/router-steps.ts';

const family = 'collect';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const pending = 'collect.pending.answers-with-202';

const early = (context: ProbeContext): Probe => ({
  steps: [submitted(context), follow('collect', 'response_url'), follow('status', 'status_url')],
});
/** What of the pending answer a rule judges, unless the model was done before it could be collected early. */
function whilePending(evidence: Evidence, judge: (answer: Answer) => readonly Draft[]): Verdict {
  const answer = responseOf(evidence, 'collect');
  if (answer.status !== 202 && memberOf(responseOf(evidence, 'status'), '/status') === 'COMPLETED') {
    return { kind: 'not-observable', because: 'completed before it could be collected early' };
  }
  return judge(answer);
}

export const collectPendingRules: readonly Rule[] = [
  defineRule({
    id: pending,
    family,
    requirements: ['MR-COL-09', 'MR-QUE-23'],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence) => whilePending(evidence, (answer) => requireStatus(answer, 202)),
  }),
  defineRule({
    id: 'collect.pending.is-the-status-response',
    family,
    requirements: ['MR-COL-10'],
    needs: [pending],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence) => whilePending(evidence, statusMembers),
  }),
  defineRule({
    id: 'collect.pending.says-when-to-try-again',
    family,
    requirements: ['MR-COL-12', 'MR-HDR-15'],
    needs: [pending],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence) => whilePending(evidence, (answer) => requireHeader(answer, 'Retry-After', wholeSeconds)),
  }),
  defineRule({
    id: 'collect.pending.carries-request-id-header',
    family,
    requirements: ['MR-COL-11', 'MR-HDR-01'],
    needs: [pending],
    api,
    cost,
    appliesTo,
    probe: early,
    judge: (evidence, { headers }) =>
      whilePending(evidence, (answer) => requireHeader(answer, headers.requestId, filled)),
  }),
];
