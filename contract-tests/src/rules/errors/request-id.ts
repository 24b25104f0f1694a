import { allResponses, headerOf, responseOf } from '../../answer.ts';
import { finding } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { hasCapability } from '../../target.ts';
import { list } from '../vocabulary/router-steps.ts';

const family = 'errors';
const api = 'router';
const appliesTo = hasCapability('state');
const ownId = 'an-id-of-the-caller';

export const requestIdRules: readonly Rule[] = [
  defineRule({
    id: 'errors.request-id.is-new-for-each-call',
    family,
    requirements: ['MR-HDR-03'],
    api,
    appliesTo,
    probe: () => ({ steps: [list('one'), list('two'), list('refused', '?cursor=not-a-cursor')] }),
    judge: (evidence, { headers }) => {
      const ids = allResponses(evidence).flatMap((answer) => headerOf(answer, headers.requestId) ?? []);
      if (new Set(ids).size === ids.length) return [];
      const at = { step: 'two', header: headers.requestId };
      return [finding('value-unexpected', at, { expected: 'an id of its own on each answer', actual: ids.join(', ') })];
    },
  }),
  defineRule({
    id: 'errors.request-id.is-not-taken-from-the-caller',
    family,
    requirements: ['MR-HDR-03'],
    api,
    appliesTo,
    probe: ({ headers }) => ({ steps: [list('sent', '', { headers: [[headers.requestId, ownId]] })] }),
    judge: (evidence, { headers }) => {
      const answer = responseOf(evidence, 'sent');
      if (headerOf(answer, headers.requestId) !== ownId) return [];
      const at = { step: 'sent', header: headers.requestId };
      return [finding('value-unexpected', at, { expected: 'an id made by the server', actual: ownId })];
    },
  }),
];
