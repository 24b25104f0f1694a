import { responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Probe } from '../../probe.ts';
import { requireHeader, requireStatus, wholeSeconds } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { type CredentialName, hasCredential } from '../../target.ts';
import { requireCategory } from '../vocabulary/refusals.ts';
import { run } from '../vocabulary/router-steps.ts';
import { spendHeaderFindings } from './spend.ts';

const family = 'run';
const api = 'router';
const cost = 'billed';

const runBy =
  (who: CredentialName) =>
  (context: ProbeContext): Probe => ({
    steps: [run('run', context.model('authored'), { credentials: [{ as: 'api-key', who }] })],
  });
const limited = 'run.rate-limit.is-429-rate-limited';
const capped = 'run.spend-cap.is-429-concurrency-limit';

export const runQuotaRules: readonly Rule[] = [
  defineRule({
    id: limited,
    family,
    requirements: ['MR-RUN-51', 'MR-IDM-10', 'MR-STC-14', 'MR-CTG-19'],
    api,
    cost,
    appliesTo: hasCredential(api, 'rateLimited'),
    probe: runBy('rateLimited'),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'run');
      const status = requireStatus(answer, 429);
      return status.length > 0 ? status : requireCategory(answer, context, 'rate_limited');
    },
  }),
  defineRule({
    id: 'run.rate-limit.says-when-to-retry',
    family,
    requirements: ['MR-IDM-11', 'MR-HDR-15'],
    needs: [limited],
    api,
    cost,
    appliesTo: hasCredential(api, 'rateLimited'),
    probe: runBy('rateLimited'),
    judge: (evidence) => requireHeader(responseOf(evidence, 'run'), 'Retry-After', wholeSeconds),
  }),
  defineRule({
    id: 'run.rate-limit.states-committed-spend',
    family,
    requirements: ['MR-RUN-52', 'MR-RUN-53', 'MR-RUN-54'],
    needs: [limited],
    api,
    cost,
    appliesTo: hasCredential(api, 'rateLimited'),
    probe: runBy('rateLimited'),
    judge: (evidence) => spendHeaderFindings(responseOf(evidence, 'run')),
  }),
  defineRule({
    id: capped,
    family,
    requirements: ['MR-RUN-51', 'MR-IDM-13', 'MR-STC-14'],
    api,
    cost,
    appliesTo: hasCredential(api, 'spendCapped'),
    probe: runBy('spendCapped'),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'run');
      const status = requireStatus(answer, 429);
      return status.length > 0 ? status : requireCategory(answer, context, 'concurrency_limit_exceeded');
    },
  }),
  defineRule({
    id: 'run.spend-cap.states-committed-spend',
    family,
    requirements: ['MR-RUN-52', 'MR-RUN-53', 'MR-RUN-54'],
    needs: [capped],
    api,
    cost,
    appliesTo: hasCredential(api, 'spendCapped'),
    probe: runBy('spendCapped'),
    judge: (evidence) => spendHeaderFindings(responseOf(evidence, 'run')),
  }),
  defineRule({
    id: 'run.credits.are-lacking',
    family,
    requirements: ['MR-CTG-09'],
    api,
    cost,
    appliesTo: hasCredential(api, 'noCredits'),
    probe: runBy('noCredits'),
    judge: (evidence, context) => {
      const answer = responseOf(evidence, 'run');
      // C-11: the documents give no status of it on the synchronous run; 400 and 402 both fit.
      const status = requireStatus(answer, 400, 402);
      return status.length > 0 ? status : requireCategory(answer, context, 'insufficient_credits');
    },
  }),
];
