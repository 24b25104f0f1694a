import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Probe } from '../../probe.ts';
import { requireHeader, requireMember, requireStatus, wholeSeconds } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { absoluteUrl, atLeastZero, exactly, filled, lowercaseUuid, optional, text } from '../vocabulary/matchers.ts';
import { follow, submitted } from '../vocabulary/router-steps.ts';

const family = 'status';
const api = 'router';
const cost = 'billed';
const answers = 'status.read.answers-with-200';
const needs = [answers];
const readOnce = (context: ProbeContext): Probe => ({ steps: [submitted(context), follow('status', 'status_url')] });

/** The members a status response shares with the handle (MR-QUE-29). */
export function statusMembers(answer: Answer): readonly Draft[] {
  return [
    ...requireMember(answer, '/request_id', lowercaseUuid),
    ...requireMember(answer, '/status', text),
    ...requireMember(answer, '/status_url', absoluteUrl),
    ...requireMember(answer, '/response_url', absoluteUrl),
    ...requireMember(answer, '/cancel_url', absoluteUrl),
  ];
}

export const statusAnswerRules: readonly Rule[] = [
  defineRule({
    id: answers,
    family,
    requirements: ['MR-STA-03', 'MR-QUE-20'],
    api,
    cost,
    probe: readOnce,
    judge: (evidence) => requireStatus(responseOf(evidence, 'status'), 200),
  }),
  defineRule({
    id: 'status.read.carries-request-id-header',
    family,
    requirements: ['MR-STA-04', 'MR-HDR-01'],
    needs,
    api,
    cost,
    probe: readOnce,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'status'), headers.requestId, filled),
  }),
  defineRule({
    id: 'status.read.has-the-handle-members',
    family,
    requirements: ['MR-QUE-29', 'MR-QUE-19', 'MR-QUE-22', 'MR-QUE-25'],
    needs,
    api,
    cost,
    probe: readOnce,
    judge: (evidence) => statusMembers(responseOf(evidence, 'status')),
  }),
  defineRule({
    id: 'status.read.is-of-the-request-submitted',
    family,
    requirements: ['MR-QUE-20', 'MR-STA-03'],
    needs,
    api,
    cost,
    probe: readOnce,
    judge: (evidence) => {
      const submittedId = memberOf(responseOf(evidence, 'submit'), '/request_id');
      if (submittedId === undefined) return { kind: 'not-observable', because: 'the handle names no request' };
      return requireMember(responseOf(evidence, 'status'), '/request_id', exactly(submittedId));
    },
  }),
  defineRule({
    id: 'status.read.says-when-to-poll-again',
    family,
    requirements: ['MR-STA-05', 'MR-HDR-15'],
    needs,
    api,
    cost,
    probe: readOnce,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'status');
      // C-39: of no use once COMPLETED, so only a pending answer can lack it wrongly.
      if (memberOf(answer, '/status') === 'COMPLETED')
        return { kind: 'not-observable', because: 'completed at the first poll' };
      return requireHeader(answer, 'Retry-After', wholeSeconds);
    },
  }),
  defineRule({
    id: 'status.read.position-is-never-negative',
    family,
    requirements: ['MR-QUE-07', 'MR-QUE-08'],
    needs,
    api,
    cost,
    probe: readOnce,
    judge: (evidence) => requireMember(responseOf(evidence, 'status'), '/queue_position', optional(atLeastZero)),
  }),
];
