import { memberOf } from '../definitions/evidence.ts';
import { excerpt, finding } from '../definitions/finding.ts';
import type { Rule } from '../definitions/rule.ts';
import { expectHeader, wrongValue } from '../rules/builders/expectations.ts';
import { fitsItsSchema } from './documented-headers.ts';
import type { ObservedResponse } from './observed-response.ts';
import { defineResponseRules, type ResponseCheck } from './passive-rule.ts';
import { mediaTypeFindings, schemaFindings } from './schema-findings.ts';

/** The fifteen codes with their statuses; unlisted codes are read by their status (C-56). */
const codeStatuses: ReadonlyMap<string, number> = new Map([
  ['invalid_workflow', 422],
  ['workflow_format_ui', 422],
  ['missing_asset', 422],
  ['hash_mismatch', 409],
  ['blob_not_found', 404],
  ['idempotency_key_reuse', 422],
  ['queue_full', 429],
  ['insufficient_credits', 402],
  ['not_found', 404],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['deployment_not_ready', 429],
  ['deployment_stopped', 422],
  ['rate_limited', 429],
  ['upstream_error', 500],
]);

const codeRequirements = [
  ...['WX-COD-01', 'WX-COD-02', 'WX-COD-03', 'WX-COD-04', 'WX-COD-05', 'WX-COD-06', 'WX-COD-07', 'WX-COD-08'],
  ...['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-12', 'WX-COD-13', 'WX-COD-14', 'WX-COD-15'],
  ...['WX-OPE-01', 'WX-OPE-02', 'WX-OPE-03', 'WX-OPE-04', 'WX-OPE-05'],
];

const isError = ({ response }: ObservedResponse): boolean => response.status >= 400;

function textAt({ response }: ObservedResponse, pointer: string): string | undefined {
  const value = memberOf(response, pointer);
  return typeof value === 'string' ? value : undefined;
}

const codeOf = (observed: ObservedResponse): string | undefined => textAt(observed, '/error/code');

const checkBody =
  (documentedAt: '200' | '401'): ResponseCheck =>
  (observed, { specs, operation }) => {
    const schema = operation('readJobWorkflow').responses[documentedAt]?.content['application/json'] ?? true;
    return schemaFindings(observed, { schema, root: specs.workflowExecution });
  };

/** A known code has one status. */
const checkCode: ResponseCheck = (observed) => {
  const code = codeOf(observed) ?? '';
  const { status, step } = observed.response;
  const at = { step, pointer: '/error/code' };
  const wanted = codeStatuses.get(code);
  if (wanted === undefined || wanted === status) return [];
  const expected = `${code} with status ${wanted}`;
  return [finding('status-unexpected', at, expected, `status ${status}`)];
};

/** Signs of the inside of the service: files, addresses, programs, queries, traces. */
const internals =
  /(?:\/[\w.-]+){2,}|\b\d{1,3}(?:\.\d{1,3}){3}\b|:\d{4,5}\b|https?:|\bat \S+ \(|Traceback|Exception|\bSELECT\b|\bpanic\b|\berrno\b|E[A-Z]{5,}\b|\.(?:py|go|js|ts|rs|java)\b|\blocalhost\b/;

const checkMessage: ResponseCheck = (observed) => {
  const message = textAt(observed, '/error/message');
  if (message === undefined || !internals.test(message)) return [];
  return wrongValue(observed.response.step, '/error/message', 'a general message', excerpt(message));
};

export const workflowRules: readonly Rule[] = defineResponseRules(
  { api: 'workflow', requiredOf: ['mock', 'sandbox'] },
  [
    {
      id: 'workflow.body',
      requirements: ['WX-JWF-04', 'WX-JWF-05', 'WX-JWF-09', 'WX-JWF-10'],
      of: ({ response }) => response.status === 200,
      check: (observed, context) => {
        const mediaType = mediaTypeFindings(observed);
        return mediaType.length > 0 ? mediaType : checkBody('200')(observed, context);
      },
    },
    {
      id: 'workflow.error-envelope',
      requirements: ['WX-ERR-01', 'WX-ERR-02', 'WX-ERR-03', 'WX-ERR-04', 'WX-ERR-05'],
      requiredOf: ['mock', 'sandbox', 'live'],
      of: isError,
      check: checkBody('401'),
    },
    {
      id: 'workflow.code-and-status-agree',
      requirements: codeRequirements,
      of: (observed) => isError(observed) && codeOf(observed) !== undefined,
      check: checkCode,
    },
    {
      id: 'workflow.retry-after-on-limits',
      requirements: ['WX-COD-16', 'WX-COD-17', 'WX-COD-21', 'WX-OPE-06'],
      requiredOf: ['sandbox'],
      of: (observed) => ['queue_full', 'deployment_not_ready', 'rate_limited'].includes(codeOf(observed) ?? ''),
      check: (observed, context) => [
        ...expectHeader('Retry-After')(observed.response, context, [observed.exchange]),
        ...fitsItsSchema('Retry-After')(observed, context),
      ],
    },
    {
      id: 'workflow.upstream-error-tells-nothing',
      requirements: ['WX-COD-22', 'WX-COD-23'],
      // No healthy target has such an error.
      requiredOf: [],
      of: (observed) => codeOf(observed) === 'upstream_error',
      check: checkMessage,
    },
    {
      id: 'workflow.successes-are-listed',
      requirements: ['WX-JWF-04', 'WX-JWF-32'],
      requiredOf: ['mock', 'sandbox', 'live'],
      of: () => true,
      check: ({ response: { status, step } }) =>
        status === 200 || status >= 400 ? [] : [finding('status-undocumented', { step }, '200', String(status))],
    },
  ],
);
