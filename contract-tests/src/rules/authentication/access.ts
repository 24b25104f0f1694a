import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { type CredentialName, hasCredential } from '../../target.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { run, submit } from '../vocabulary/router-steps.ts';

const family = 'authentication';
const api = 'router';
const cost = 'billed';
const barred = 'authentication.no-access.is-forbidden';

const runBy =
  (who: CredentialName) =>
  (context: ProbeContext): Probe => ({
    steps: [run('run', context.model('authored'), { credentials: [{ as: 'api-key', who }] })],
  });

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
