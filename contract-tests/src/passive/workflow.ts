import { resolvePointer } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../context.ts';
import type { Draft } from '../finding.ts';
import { excerpt, finding, requireHeader, wholeSeconds } from '../require.ts';
import type { Rule } from '../rule.ts';
import { passiveRule } from './passive-rule.ts';
import { requireBody, requireMediaTypeOf } from './schema-findings.ts';
import type { Sighting } from './sighting.ts';

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

const isError = ({ answer }: Sighting): boolean => answer.status >= 400;

function memberAt({ body }: Sighting, pointer: string): string | undefined {
  const value = body.kind === 'json' ? resolvePointer(body.value, pointer) : undefined;
  return typeof value === 'string' ? value : undefined;
}

const codeOf = (sighting: Sighting): string | undefined => memberAt(sighting, '/error/code');

function requireErrorEnvelope(sighting: Sighting, { specs, operation }: ProbeContext): readonly Draft[] {
  const schema = operation('readJobWorkflow').responses['401']?.content['application/json'] ?? true;
  return requireBody(sighting, { schema, root: specs.workflowExecution });
}

function requireStatusOfCode(sighting: Sighting): readonly Draft[] {
  const code = codeOf(sighting);
  const wanted = code === undefined ? undefined : codeStatuses.get(code);
  const { status, step } = sighting.answer;
  if (wanted === undefined || wanted === status) return [];
  const said = { expected: `${code} with status ${wanted}`, actual: `status ${status}` };
  return [finding('status-unexpected', { step, pointer: '/error/code' }, said)];
}

/** The statuses that the operation lists have one code each, as far as codes are known. */
function requireCodeOfStatus(sighting: Sighting): readonly Draft[] {
  const { status, step } = sighting.answer;
  const wanted = listedCodes.get(status);
  const code = codeOf(sighting);
  if (wanted === undefined || code === undefined || !codeStatuses.has(code) || wanted.includes(code)) return [];
  return [
    finding('value-unexpected', { step, pointer: '/error/code' }, { expected: wanted.join(' or '), actual: code }),
  ];
}

const listedCodes: ReadonlyMap<number, readonly string[]> = Map.groupBy(
  codeStatuses.keys(),
  (code) => codeStatuses.get(code) ?? 0,
);

/** Signs of what lies behind the service: files, addresses, programs, queries, traces. */
const inner =
  /(?:\/[\w.-]+){2,}|\b\d{1,3}(?:\.\d{1,3}){3}\b|:\d{4,5}\b|https?:|\bat \S+ \(|Traceback|Exception|\bSELECT\b|\bpanic\b|\berrno\b|E[A-Z]{5,}\b|\.(?:py|go|js|ts|rs|java)\b|\blocalhost\b/;

function requireGenericMessage(sighting: Sighting): readonly Draft[] {
  const message = memberAt(sighting, '/error/message');
  if (message === undefined || !inner.test(message)) return [];
  const at = { step: sighting.answer.step, pointer: '/error/message' };
  return [finding('value-unexpected', at, { expected: 'a general message', actual: excerpt(message) })];
}

export const workflowRules: readonly Rule[] = [
  passiveRule({
    id: 'workflow.body',
    api: 'workflow',
    requirements: ['WX-JWF-04', 'WX-JWF-05', 'WX-JWF-09', 'WX-JWF-10'],
    of: ({ answer }) => answer.status === 200,
    judge: (sighting, { specs, operation }) => {
      const media = requireMediaTypeOf(sighting);
      if (media.length > 0) return media;
      const schema = operation('readJobWorkflow').responses['200']?.content['application/json'] ?? true;
      return requireBody(sighting, { schema, root: specs.workflowExecution });
    },
  }),
  passiveRule({
    id: 'workflow.error-envelope',
    api: 'workflow',
    requirements: ['WX-ERR-01', 'WX-ERR-02', 'WX-ERR-03', 'WX-ERR-04', 'WX-ERR-05'],
    of: isError,
    judge: requireErrorEnvelope,
  }),
  passiveRule({
    id: 'workflow.code-and-status-agree',
    api: 'workflow',
    requirements: codeRequirements,
    of: (sighting) => isError(sighting) && codeOf(sighting) !== undefined,
    judge: (sighting) => {
      const status = requireStatusOfCode(sighting);
      return status.length > 0 ? status : requireCodeOfStatus(sighting);
    },
  }),
  passiveRule({
    id: 'workflow.retry-after-on-limits',
    api: 'workflow',
    requirements: ['WX-COD-16', 'WX-COD-17', 'WX-COD-21', 'WX-OPE-06'],
    of: (sighting) => ['queue_full', 'deployment_not_ready', 'rate_limited'].includes(codeOf(sighting) ?? ''),
    judge: ({ answer }) => requireHeader(answer, 'Retry-After', wholeSeconds),
  }),
  passiveRule({
    id: 'workflow.upstream-error-tells-nothing',
    api: 'workflow',
    requirements: ['WX-COD-22', 'WX-COD-23'],
    of: (sighting) => codeOf(sighting) === 'upstream_error',
    judge: requireGenericMessage,
  }),
  passiveRule({
    id: 'workflow.successes-are-listed',
    api: 'workflow',
    requirements: ['WX-JWF-04', 'WX-JWF-32'],
    of: () => true,
    judge: ({ answer }) =>
      answer.status === 200 || answer.status >= 400
        ? []
        : [finding('status-undocumented', { step: answer.step }, { expected: '200', actual: String(answer.status) })],
  }),
];
