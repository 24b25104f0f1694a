import type { ProbeContext } from '../../contract/context.ts';
import { allResponses, readHeader, readResponse } from '../../contract/evidence.ts';
import { finding, notApplicable, observed } from '../../contract/finding.ts';
import type { Probe } from '../../contract/probe.ts';
import { defineFamily, type Rule, type Shown } from '../../contract/rule.ts';
import { get, post, step } from '../../contract/steps.ts';
import type { ApiName } from '../../contract/target.ts';
import { state } from '../../requires.ts';
import * as expect from '../builders/expectations.ts';
import { jsonBody, list, malformedBody, unknownRequestId } from '../builders/router-steps.ts';
import { unknownJob } from '../workflow/jobs.ts';

/** Free refusals of several operations, for several reasons; `prefer` selects the mock's example. */
const refusals = (context: ProbeContext): Probe => {
  const { path, input } = context.authored;
  // A validating mock waits for ever on a body that is cut off.
  const body = context.kind === 'mock' ? jsonBody(input) : malformedBody;
  return [
    list('bad-cursor', '?cursor=not-a-cursor', { prefer: 400 }),
    step('unknown-model', get('router', `${path}-that-is-unknown`, { prefer: 404 })),
    step('malformed-body', post('router', path, { ...body, prefer: 400 }), { mayBeLeftOut: true }),
    step('unknown-request', get('router', `${path}/requests/${unknownRequestId}/status`, { prefer: 404 })),
    list('no-credential', '', { credentials: [] }),
  ];
};

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

const ownId = 'an-id-of-the-caller';

export const errorEnvelopeRules: readonly Rule[] = defineFamily(
  { requiredOf: ['mock', 'sandbox', 'live'] },
  {
    'errors.envelope.has-detail-and-type': {
      // Repeats passive.body.error, because its calls bring the passive rules a mock's examples of errors.
      sentence: 'An error of the router is a JSON object with detail and error_type.',
      requirements: ['MR-ERR-01', 'MR-ERR-02', 'MR-ERR-05'],
      probe: refusals,
      check: (evidence) => {
        const refused = allResponses(evidence).filter(({ status }) => status >= 400 && status !== 422);
        if (refused.length === 0) return notApplicable('nothing was refused');
        return refused.flatMap(expect.members({ '/detail': expect.text, '/error_type': expect.text }));
      },
    },
    'errors.request-id.is-not-taken-from-the-caller': {
      sentence: "The request id of an answer is the router's own, whatever the caller sends.",
      requirements: ['MR-HDR-03'],
      requires: [state],
      requiredOf: ['sandbox', 'live'],
      probe: ({ headers }) => [list('sent', '', { headers: [[headers.requestId, ownId]] })],
      check: (evidence, { headers }) => {
        if (readHeader(readResponse(evidence, 'sent'), headers.requestId) !== ownId) return [];
        const at = { step: 'sent', header: headers.requestId };
        return [finding('value-unexpected', at, 'an id made by the server', ownId)];
      },
    },
  },
);

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
