import { memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { absent, requireHeader, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { requireSameBytes } from '../vocabulary/byte-comparison.ts';
import { exactly, filled } from '../vocabulary/matchers.ts';
import { follow, followCancel, polled, submitted } from '../vocabulary/router-steps.ts';
import { cancelMembers } from './pending.ts';

const family = 'cancel';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');
const refused = 'cancel.completed.is-already-completed';
const needs = [refused];

const afterTheEnd = (context: ProbeContext): Probe => ({
  steps: [
    submitted(context),
    polled(),
    follow('collect', 'response_url'),
    followCancel('cancel'),
    follow('status-after', 'status_url'),
    follow('collect-after', 'response_url'),
  ],
});

export const cancelCompletedRules: readonly Rule[] = [
  defineRule({
    id: refused,
    family,
    requirements: ['MR-CAN-04', 'MR-STC-08'],
    api,
    cost,
    appliesTo,
    probe: afterTheEnd,
    judge: (evidence) => requireStatus(responseOf(evidence, 'cancel'), 409),
  }),
  defineRule({
    id: 'cancel.completed.is-a-cancel-response',
    family,
    requirements: ['MR-CAN-04', 'MR-CAN-05', 'MR-CAN-08', 'MR-CAN-09'],
    needs,
    api,
    cost,
    appliesTo,
    probe: afterTheEnd,
    judge: (evidence) => [
      ...cancelMembers(evidence, 'cancel'),
      ...requireMember(responseOf(evidence, 'cancel'), '/status', exactly('ALREADY_COMPLETED')),
    ],
  }),
  defineRule({
    id: 'cancel.completed.carries-request-id-header',
    family,
    requirements: ['MR-CAN-07', 'MR-HDR-01'],
    needs,
    api,
    cost,
    appliesTo,
    probe: afterTheEnd,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'cancel'), headers.requestId, filled),
  }),
  defineRule({
    id: 'cancel.completed.changes-nothing',
    family,
    requirements: ['MR-CAN-13', 'MR-QUE-33'],
    needs,
    api,
    cost,
    appliesTo,
    probe: afterTheEnd,
    judge: (evidence) => {
      const [before, after] = [responseOf(evidence, 'collect'), responseOf(evidence, 'collect-after')];
      const status = responseOf(evidence, 'status-after');
      const error = memberOf(responseOf(evidence, 'end'), '/error_type');
      return [
        ...requireMember(status, '/status', exactly('COMPLETED')),
        ...requireMember(status, '/error_type', error === undefined ? absent : exactly(error)),
        // Whether a result can be collected twice is open (NS-21): only another result is a change.
        ...(before.status === 200 && after.status === 200 ? requireSameBytes(after, before) : []),
      ];
    },
  }),
];
