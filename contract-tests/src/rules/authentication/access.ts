import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { step } from '../../steps.ts';
import { allOf, type CredentialName, hasCredential, notOn } from '../../target.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { run, submit, unknownRequestId } from '../vocabulary/router-steps.ts';

const family = 'authentication';
const api = 'router';
const cost = 'billed';
const barred = 'authentication.no-access.is-forbidden';

const runBy =
  (who: CredentialName) =>
  (context: ProbeContext): Probe => ({
    steps: [run('run', context.model('authored'), { credentials: [{ as: 'api-key', who }] })],
  });

/** Operations that run nothing. */
const barredReads = [
  { name: 'list', method: 'GET', tail: '', requirements: ['MR-CAT-54'] },
  { name: 'read', method: 'GET', tail: '', requirements: ['MR-MOD-11'] },
  { name: 'schema-document', method: 'GET', tail: '/openapi.json', requirements: ['MR-SCH-19'] },
  { name: 'collect', method: 'GET', tail: `/requests/${unknownRequestId}`, requirements: ['MR-COL-14'] },
  { name: 'status', method: 'GET', tail: `/requests/${unknownRequestId}/status`, requirements: ['MR-STA-07'] },
  { name: 'cancel', method: 'PUT', tail: `/requests/${unknownRequestId}/cancel`, requirements: ['MR-CAN-17'] },
];

export const authenticationAccessRules: readonly Rule[] = [
  defineRule({
    id: `${barred}.run`,
    family,
    requirements: ['MR-AUT-08', 'MR-RUN-44', 'MR-STC-04', 'MR-CTG-12'],
    api,
    cost,
    appliesTo: hasCredential(api, 'noAccess'),
    probe: runBy('noAccess'),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'run');
      const status = requireStatus(answer, 403);
      return status.length > 0 ? status : requireCategory(answer, context, 'forbidden');
    },
  }),
  defineRule({
    id: `${barred}.submit`,
    family,
    requirements: ['MR-AUT-08', 'MR-SUB-16', 'MR-STC-04', 'MR-CTG-12'],
    api,
    cost,
    appliesTo: hasCredential(api, 'noAccess'),
    probe: (context) => ({
      steps: [submit('submit', context.model('authored'), { credentials: [{ as: 'api-key', who: 'noAccess' }] })],
    }),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'submit');
      const status = requireStatus(answer, 403);
      return status.length > 0 ? status : requireCategory(answer, context, 'forbidden');
    },
  }),
  ...barredReads.map(({ name, method, tail, requirements }) =>
    defineRule({
      id: `${barred}.${name}`,
      family,
      requirements: ['MR-AUT-08', 'MR-STC-04', 'MR-CTG-12', ...requirements],
      api,
      appliesTo: allOf(hasCredential(api, 'noAccess'), notOn('live', 'whether it may read is not known')),
      probe: (context) => {
        const to = name === 'list' ? '/v2/models' : `${context.model('authored').path}${tail}`;
        return { steps: [step('call', { api, method, to, credentials: [{ as: 'api-key', who: 'noAccess' }] })] };
      },
      judge: (evidence, context) => {
        const answer = responseOf(evidence, 'call');
        const status = requireStatus(answer, 403);
        return status.length > 0 ? status : requireCategory(answer, context, 'forbidden');
      },
    }),
  ),
  defineRule({
    id: 'authentication.not-enabled.is-called-so',
    family,
    requirements: ['MR-CTG-17'],
    api,
    cost,
    appliesTo: hasCredential(api, 'notEnabled'),
    probe: runBy('notEnabled'),
    // NS-18: the documents give the category no status.
    judge: (evidence, context) => requireCategory(responseOf(evidence, 'run'), context, 'not_enabled'),
  }),
];
