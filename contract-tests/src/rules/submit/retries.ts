import { memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { requireHeader, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { replayMark, requireConflict, requireNotReplayed } from '../vocabulary/keyed-calls.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { otherInputOf } from '../vocabulary/model-schema.ts';
import { keyed, seed } from '../vocabulary/router-steps.ts';

const family = 'submit';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const needs = ['submit.handle.is-created'];

const resubmitted = (label: string) => (context: ProbeContext) => {
  const { path, input } = context.model('authored');
  const call = { label, to: `${path}/requests`, value: input };
  return { steps: [seed, keyed('first', context, call, { mustAnswer: [201] }), keyed('again', context, call)] };
};
const again = 'submit.retry.gives-the-same-handle';

export const submitRetryRules: readonly Rule[] = [
  defineRule({
    id: again,
    family,
    requirements: ['MR-SUB-12', 'MR-IDM-01'],
    needs,
    api,
    cost,
    appliesTo,
    probe: resubmitted('submit-retry'),
    judge: (evidence) => {
      const answer = responseOf(evidence, 'again');
      const status = requireStatus(answer, 201);
      const wanted = memberOf(responseOf(evidence, 'first'), '/request_id');
      if (status.length > 0 || wanted === undefined) return status;
      return requireMember(answer, '/request_id', exactly(wanted));
    },
  }),
  defineRule({
    id: 'submit.retry.is-marked-replayed',
    family,
    requirements: ['MR-SUB-12', 'MR-HDR-14'],
    needs: [again],
    api,
    cost,
    appliesTo,
    probe: resubmitted('submit-marked'),
    judge: (evidence) => [
      ...requireNotReplayed(responseOf(evidence, 'first')),
      ...requireHeader(responseOf(evidence, 'again'), 'Idempotent-Replayed', replayMark),
    ],
  }),
  defineRule({
    id: 'submit.retry.with-another-body-conflicts',
    family,
    requirements: ['MR-SUB-18', 'MR-IDM-16', 'MR-IDM-27', 'MR-STC-06', 'MR-CTG-04'],
    needs,
    api,
    cost,
    appliesTo,
    probe: (context) => {
      const model = context.model('authored');
      const call = { label: 'submit-conflict', to: `${model.path}/requests`, value: model.input };
      const changed = { ...call, value: otherInputOf(model) };
      return { steps: [seed, keyed('first', context, call, { mustAnswer: [201] }), keyed('again', context, changed)] };
    },
    judge: (evidence, context) => requireConflict(responseOf(evidence, 'again'), context),
  }),
];
