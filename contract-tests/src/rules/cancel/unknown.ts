import { headerOf, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { ProbeRequest } from '../../probe.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { step } from '../../steps.ts';
import { allOf, hasCapability, hasCredential } from '../../target.ts';
import { asNeighbour, requestNotFound } from '../status/unknown.ts';
import { follow, followCancel, submitted, unknownRequestId } from '../vocabulary/router-steps.ts';

const family = 'cancel';
const api = 'router';
const cost = 'billed';
const appliesTo = hasCapability('state');

function cancelOf(context: ProbeContext, requestId: string): ProbeRequest {
  return { api, method: 'PUT', to: `${context.model('authored').path}/requests/${requestId}/cancel` };
}

export const cancelUnknownRules: readonly Rule[] = [
  defineRule({
    id: 'cancel.unknown.is-not-found',
    family,
    requirements: ['MR-CAN-18', 'MR-CTG-24', 'MR-STC-05'],
    api,
    appliesTo,
    probe: (context) => ({ steps: [step('unknown', cancelOf(context, unknownRequestId))] }),
    judge: (evidence, context) => requestNotFound(evidence, 'unknown', context),
  }),
  defineRule({
    id: 'cancel.foreign.is-not-found',
    family,
    requirements: ['MR-CTG-24'],
    api,
    cost,
    appliesTo: allOf(appliesTo, hasCredential(api, 'neighbour')),
    probe: (context) => ({ steps: [submitted(context), asNeighbour('foreign', 'cancel_url', 'PUT')] }),
    judge: (evidence, context) => requestNotFound(evidence, 'foreign', context),
  }),
  defineRule({
    id: 'cancel.malformed.request-id',
    family,
    requirements: ['MR-CAN-15'],
    api,
    appliesTo,
    probe: (context) => ({ steps: [step('malformed', cancelOf(context, 'NOT-A-UUID'))] }),
    judge: (evidence, { headers }) => {
      const answer = responseOf(evidence, 'malformed');
      const category = headerOf(answer, headers.errorType) ?? 'no category';
      return {
        kind: 'observed',
        observation: `an id that is no UUID is answered with ${answer.status} ${category} (NS-37)`,
      };
    },
  }),
  defineRule({
    id: 'cancel.pending.second-time',
    family,
    requirements: ['MR-CAN-03'],
    api,
    cost,
    appliesTo,
    probe: (context) => ({
      steps: [submitted(context), followCancel('first'), followCancel('second'), follow('status', 'status_url')],
    }),
    judge: (evidence) => {
      const second = responseOf(evidence, 'second');
      const word = String(memberOf(second, '/status'));
      return { kind: 'observed', observation: `a second cancel is answered with ${second.status} ${word} (NS-35)` };
    },
  }),
];
