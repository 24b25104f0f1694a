import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { absent, requireHeader, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { absoluteUrl, atLeastZero, filled, lowercaseUuid, optional, text } from '../vocabulary/matchers.ts';
import { submit } from '../vocabulary/router-steps.ts';

const family = 'submit';
const api = 'router';
const cost = 'billed';
const created = 'submit.handle.is-created';
const needs = [created];
const submitOne = (context: ProbeContext): Probe => ({ steps: [submit('submit', context.model('authored'))] });

export const submitHandleRules: readonly Rule[] = [
  defineRule({
    id: created,
    family,
    requirements: ['MR-SUB-10', 'MR-QUE-30'],
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => requireStatus(responseOf(evidence, 'submit'), 201),
  }),
  defineRule({
    id: 'submit.handle.carries-request-id-header',
    family,
    requirements: ['MR-SUB-11', 'MR-HDR-01'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'submit'), headers.requestId, filled),
  }),
  defineRule({
    id: 'submit.handle.names-request-and-status',
    family,
    requirements: ['MR-QUE-01', 'MR-QUE-02', 'MR-QUE-03'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => [
      ...requireMember(responseOf(evidence, 'submit'), '/request_id', lowercaseUuid),
      ...requireMember(responseOf(evidence, 'submit'), '/status', text),
    ],
  }),
  defineRule({
    id: 'submit.handle.gives-absolute-urls',
    family,
    requirements: ['MR-QUE-18', 'MR-QUE-21', 'MR-QUE-24'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) =>
      ['status_url', 'response_url', 'cancel_url'].flatMap((member) =>
        requireMember(responseOf(evidence, 'submit'), `/${member}`, absoluteUrl),
      ),
  }),
  defineRule({
    id: 'submit.handle.position-is-never-negative',
    family,
    requirements: ['MR-QUE-07', 'MR-QUE-08'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => requireMember(responseOf(evidence, 'submit'), '/queue_position', optional(atLeastZero)),
  }),
  defineRule({
    id: 'submit.handle.has-no-error-type',
    family,
    requirements: ['MR-QUE-28'],
    needs,
    api,
    cost,
    probe: submitOne,
    judge: (evidence) => requireMember(responseOf(evidence, 'submit'), '/error_type', absent),
  }),
];
