import { isJsonObject, resolvePointer } from '../../../../specs/src/index.ts';
import { readMember } from '../../contract/evidence.ts';
import { excerpt, finding } from '../../contract/finding.ts';
import * as expect from '../expect.ts';
import { checkBody, checkMediaType } from './bodies.ts';
import { fitsItsSchema } from './headers.ts';
import { type ObservedResponse, type ResponseCheck, responseRule } from './passive-rule.ts';
import { checkListedStatus } from './statuses.ts';

const isError = ({ status }: ObservedResponse): boolean => status >= 400;

function readCode(response: ObservedResponse): string | undefined {
  const value = readMember(response, '/error/code');
  return typeof value === 'string' ? value : undefined;
}

/** Error statuses that the operation lists with codes. Other statuses may use other codes (OP-256). */
const listedStatuses: ReadonlySet<number> = new Set([401, 403, 404, 429, 500]);

/** Expects documented codes only with their status, and documented statuses only with their codes. */
const checkCode: ResponseCheck = (observed) => {
  const statuses = resolvePointer(observed.document, '/components/schemas/ErrorCode/anyOf/0/x-enum-statuses');
  const codeStatuses = new Map(isJsonObject(statuses) ? Object.entries(statuses) : []);
  const code = readCode(observed) ?? '';
  const { status, step } = observed;
  const at = { step, pointer: '/error/code' };
  const wanted = codeStatuses.get(code);
  if (wanted === status) return [];
  if (wanted !== undefined)
    return [finding('status-unexpected', at, `${code} with status ${wanted}`, `status ${status}`)];
  if (!listedStatuses.has(status)) return [];
  const codes = [...codeStatuses].filter(([, codeStatus]) => codeStatus === status).map(([one]) => one);
  return expect.wrongAt(step, '/error/code', `${codes.join(' or ')} with status ${status}`, excerpt(code));
};

export const workflowRules = [
  responseRule('passive.workflow.body', {
    concern: 'workflows',
    sentence: 'Every workflow response matches the documented schema.',
    requirements: ['WX-JWF-04', 'WX-JWF-05', 'WX-JWF-09', 'WX-JWF-10'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox'],
    about: ({ status }) => status === 200,
    check: (observed) => [...checkMediaType(observed), ...checkBody(observed)],
  }),
  responseRule('passive.workflow.error-envelope', {
    concern: 'errors',
    sentence: 'Every error of the workflow API has the documented envelope.',
    requirements: ['WX-ERR-01', 'WX-ERR-02', 'WX-ERR-03', 'WX-ERR-04', 'WX-ERR-05'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox', 'live'],
    about: isError,
    check: (observed) => checkBody(observed),
  }),
  responseRule('passive.workflow.code-and-status-agree', {
    concern: 'errors',
    sentence: 'The status of every error of the workflow API agrees with its code.',
    requirements: [
      ...['WX-COD-01', 'WX-COD-02', 'WX-COD-03', 'WX-COD-04', 'WX-COD-05', 'WX-COD-06', 'WX-COD-07', 'WX-COD-08'],
      ...['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-12', 'WX-COD-13', 'WX-COD-14', 'WX-COD-15'],
      ...['WX-OPE-01', 'WX-OPE-02', 'WX-OPE-03', 'WX-OPE-04', 'WX-OPE-05'],
    ],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox'],
    about: (observed) => isError(observed) && readCode(observed) !== undefined,
    check: checkCode,
  }),
  responseRule('passive.workflow.retry-after-on-limits', {
    concern: 'errors',
    sentence: 'Every 429 of the workflow API has Retry-After.',
    requirements: ['WX-COD-16', 'WX-COD-17', 'WX-COD-21', 'WX-OPE-06'],
    api: 'workflow',
    partReading: 'OP-091',
    requiredOf: ['sandbox'],
    about: (observed) => ['queue_full', 'deployment_not_ready', 'rate_limited'].includes(readCode(observed) ?? ''),
    check: (observed, context) => {
      const isLimit = readCode(observed) === 'rate_limited';
      const fitsSeconds = fitsItsSchema('Retry-After');
      return [
        ...expect.header('Retry-After')(observed, context),
        ...(isLimit ? fitsSeconds : expect.withReading('OP-091', fitsSeconds))(observed, context),
      ];
    },
  }),
  responseRule('passive.workflow.successes-are-listed', {
    sentence: 'Every successful response of the workflow API has a status that its operation lists.',
    requirements: ['WX-JWF-04', 'WX-JWF-32'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox', 'live'],
    check: checkListedStatus,
  }),
];
