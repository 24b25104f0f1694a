import { isJsonObject, resolvePointer } from '../../../../specs/src/index.ts';
import { isReplay, readHeader, readMember } from '../../contract/evidence.ts';
import { excerpt, finding } from '../../contract/finding.ts';
import * as expect from '../expect.ts';
import type { ObservedResponse, ResponseCheck } from './passive-rule.ts';
import { isRouterError, readCategory, readCode, responseRule } from './passive-rule.ts';

/** Categories of requests that the router accepted and did not complete. */
const requestLevel = [
  'invalid_input',
  'content_policy_violation',
  'provider_error',
  'provider_timeout',
  'insufficient_credits',
  'model_not_found',
];

type Meaning = {
  readonly status: number;
  readonly operations?: readonly string[];
  readonly categories: readonly string[];
  /** Set if the API text describes when the status is used, but defines no category. */
  readonly reading?: string;
};

const onModels = ['readModel', 'runModel', 'readSchemaDocument', 'submitRequest'];
const onKeyedCalls = ['runModel', 'submitRequest'];

/** Categories allowed with each status. A category without a defined status (OP-018) may also have any other status. */
const meanings: readonly Meaning[] = [
  { status: 401, categories: ['unauthorized'] },
  { status: 402, categories: requestLevel, reading: 'OP-019' },
  { status: 403, categories: ['forbidden', 'not_enabled'], reading: 'OP-018' },
  { status: 404, operations: onModels, categories: ['model_not_found'] },
  { status: 404, categories: ['request_not_found', 'model_not_found'] },
  { status: 409, operations: onKeyedCalls, categories: ['concurrency_limit_exceeded', 'invalid_input'] },
  { status: 422, operations: onKeyedCalls, categories: ['invalid_input'] },
  { status: 422, categories: ['invalid_input'], reading: 'OP-040' },
  { status: 429, categories: ['rate_limited', 'concurrency_limit_exceeded'] },
  { status: 500, categories: ['internal_error'], reading: 'OP-018' },
  { status: 502, categories: ['provider_error'] },
  { status: 503, categories: ['service_unavailable'], reading: 'OP-018' },
  // Live services use `queue_timeout` for a timeout in the queue.
  { status: 504, categories: ['deadline_exceeded', 'provider_timeout', 'queue_timeout'], reading: 'OP-018' },
];

/** Requirements of the status table, the category table, and the operations that list the status. */
const meaningRequirements = [
  ...['MR-STC-02', 'MR-STC-03', 'MR-STC-04', 'MR-STC-05', 'MR-STC-06', 'MR-STC-11', 'MR-STC-14', 'MR-STC-15'],
  ...['MR-STC-16', 'MR-STC-17', 'MR-STC-19'],
  ...['MR-CTG-03', 'MR-CTG-07', 'MR-CTG-08', 'MR-CTG-09', 'MR-CTG-10', 'MR-CTG-11', 'MR-CTG-12', 'MR-CTG-13'],
  ...['MR-CTG-15', 'MR-CTG-16', 'MR-CTG-17', 'MR-CTG-18', 'MR-CTG-19', 'MR-CTG-24'],
  ...['MR-AUT-06', 'MR-AUT-07', 'MR-AUT-08', 'MR-CAT-54', 'MR-CAT-55', 'MR-CAT-56', 'MR-MOD-11', 'MR-MOD-12'],
  ...['MR-SCH-19', 'MR-SCH-21', 'MR-SCH-22', 'MR-RUN-51', 'MR-RUN-55', 'MR-RUN-57', 'MR-RUN-58'],
  ...['MR-SUB-15', 'MR-SUB-20', 'MR-COL-14', 'MR-COL-19', 'MR-COL-20', 'MR-STA-07', 'MR-STA-10'],
  ...['MR-CAN-17', 'MR-CAN-19', 'MR-IDM-04', 'MR-IDM-10', 'MR-IDM-13', 'MR-IDM-16'],
];

/** Categories whose status the API text defines, so that findings don't rely on a reading. */
const definedByText = ['unauthorized', 'forbidden', 'rate_limited', 'concurrency_limit_exceeded'];

function findMeaning({ status, operation }: ObservedResponse): Meaning | undefined {
  return meanings.find((one) => one.status === status && (one.operations?.includes(operation.operationId) ?? true));
}

const checkCategory: ResponseCheck = (observed, context) => {
  const meaning = findMeaning(observed);
  const category = readCategory(observed, context);
  const knownCategories = resolvePointer(observed.document, '/components/schemas/ErrorType/anyOf/0/enum');
  // Other categories are allowed (MR-ERR-28).
  if (
    meaning === undefined ||
    category === undefined ||
    !Array.isArray(knownCategories) ||
    !knownCategories.includes(category)
  )
    return [];
  if (meaning.categories.includes(category)) return [];
  const at = { step: observed.step, header: context.headers.errorType };
  const expected = `${meaning.categories.join(' or ')} with ${meaning.status}`;
  const wrong = finding('value-unexpected', at, expected, category);
  // If the API text defines a different status for the category, the finding needs no reading.
  return [{ ...wrong, ...(meaning.reading && !definedByText.includes(category) && { reading: meaning.reading }) }];
};

/**
 * Operations list all success and redirect statuses, and every status 410, which is for queued requests. Other unlisted
 * error statuses are allowed (OP-071).
 */
const checkListedStatus: ResponseCheck = ({ status, headers, step, operation, exchange }) => {
  const isUnasked = status === 304 && readHeader(exchange.request, 'If-None-Match') === undefined;
  if (status >= 400 && (status !== 410 || operation.api === 'workflow-execution')) return [];
  if (operation.responses[String(status)] !== undefined && !isUnasked) return [];
  // The retry table allows 200 for any replay (OP-079).
  if (status === 200 && isReplay({ headers })) return [];
  const listed = Object.keys(operation.responses).filter((one) => one < '400');
  const actual = isUnasked ? '304 without If-None-Match' : String(status);
  return [finding('status-undocumented', { step }, listed.join(' or '), actual, { statuses: listed.map(Number) })];
};

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

export const statusRules = [
  responseRule('passive.error.status-and-category-agree', {
    concern: 'errors',
    sentence: 'The status of every error agrees with its category.',
    requirements: meaningRequirements,
    partReading: ['OP-018', 'OP-019', 'OP-040'],
    requiredOf: ['mock', 'sandbox', 'live'],
    about: isRouterError,
    check: checkCategory,
  }),
  responseRule('passive.status.successes-are-listed', {
    sentence: 'Every response has a status that its operation lists, except for errors other than 410.',
    requirements: [
      ...['MR-CAT-17', 'MR-MOD-04', 'MR-SCH-04', 'MR-SUB-10', 'MR-STA-03', 'MR-COL-04', 'MR-COL-09', 'MR-CAN-03'],
      ...['MR-RUN-02', 'MR-SCH-12', 'MR-SCH-23', 'MR-STC-09', 'MR-STA-09', 'MR-COL-17'],
    ],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: checkListedStatus,
  }),
  responseRule('passive.error.category-is-mirrored', {
    concern: 'errors',
    sentence: 'The header and the body of an error contain the same category.',
    requirements: ['MR-ERR-06', 'MR-HDR-04'],
    requiredOf: ['mock', 'sandbox'],
    about: (observed, context) =>
      isRouterError(observed) &&
      observed.status !== 422 &&
      readHeader(observed, context.headers.errorType) !== undefined,
    check: ({ step, ...response }, { headers }) => {
      const header = readHeader(response, headers.errorType) ?? '';
      const body = readMember(response, '/error_type');
      if (typeof body !== 'string' || body === header.trim()) return [];
      return [finding('values-differ', { step, header: headers.errorType }, body, header)];
    },
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
    about: (observed) => observed.status >= 400 && readCode(observed) !== undefined,
    check: checkCode,
  }),
  responseRule('passive.workflow.successes-are-listed', {
    sentence: 'Every successful response of the workflow API has a status that its operation lists.',
    requirements: ['WX-JWF-04', 'WX-JWF-32'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox', 'live'],
    check: checkListedStatus,
  }),
];
