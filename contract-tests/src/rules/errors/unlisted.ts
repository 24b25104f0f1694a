import type { ProbeContext } from '../../contract/context.ts';
import { allResponses } from '../../contract/evidence.ts';
import { observed } from '../../contract/finding.ts';
import { defineFamily, type Rule, type Shown } from '../../contract/rule.ts';
import { step } from '../../contract/steps.ts';
import type { ApiName } from '../../contract/target.ts';
import { unknownRequestId } from '../builders/router-steps.ts';
import { unknownJob } from '../workflow/jobs.ts';

/** Calls that no operation describes. None of them has a body, and none can run or change anything. */
const listRouterCalls = ({ authored }: ProbeContext): readonly string[] => [
  'GET /v2',
  'GET /v2/no-such-path',
  'GET /v2/models/',
  'GET /v2/models/only-a-provider',
  `GET ${authored.path}/no-such-tail`,
  `GET ${authored.path}/requests`,
  `GET ${authored.path}/requests/${unknownRequestId}/no-such-tail`,
  `GET ${authored.path}/requests/${unknownRequestId}/cancel`,
  `PUT ${authored.path}/requests/${unknownRequestId}/status`,
  'PATCH /v2/models',
  `PUT ${authored.path}/openapi.json`,
  'GET /v2/models/%ff/%fe',
  'GET /v2/models/..%2f..%2fetc/passwd',
  `GET /v2/${'long/'.repeat(200)}path`,
];

const workflowCalls: readonly string[] = [
  'GET /api/v2',
  'GET /api/v2/no-such-path',
  `GET /api/v2/jobs/${unknownJob}/no-such-tail`,
  `PATCH /api/v2/jobs/${unknownJob}/workflow`,
  'GET /api/v2/jobs//workflow',
  'GET /api/v2/jobs/%ff/workflow',
  'GET /api/v2/jobs/..%2f..%2fetc/workflow',
];

/** How such calls are answered is open (NS-29); what an error tells is not, and the passive rules read it. */
const noted = (api: ApiName, list: (context: ProbeContext) => readonly string[]): Shown => ({
  probe: (context) =>
    list(context).map((call) => {
      const [method = '', to = ''] = call.split(' ');
      return step(call.slice(0, 80), { api, method, to });
    }),
  check: (evidence) => {
    const statuses = allResponses(evidence).map(({ status }) => status);
    return observed(`calls that are not described get ${[...new Set(statuses)].sort().join(', ')} (NS-29)`);
  },
});

export const unlistedCallRules: readonly Rule[] = defineFamily(
  { requiredOf: ['sandbox', 'live'] },
  {
    'errors.unlisted.paths-and-methods': {
      sentence: 'What paths and methods that the router does not list get is noted.',
      requirements: ['MR-ERR-03'],
      ...noted('router', listRouterCalls),
    },
    'errors.unlisted.workflow-paths-and-methods': {
      sentence: 'What paths and methods that the workflow API does not list get is noted.',
      requirements: ['WX-ERR-04'],
      api: 'workflow',
      ...noted('workflow', () => workflowCalls),
    },
  },
);
