import type { JsonValue, Schema, SchemaCheck } from '../../../../specs/src/index.ts';
import { compileSchema, isJsonObject } from '../../../../specs/src/index.ts';
import type { TargetContext } from '../../contract/context.ts';
import {
  headerValues,
  isReplay,
  once,
  parseStringArray,
  readHeader,
  readMember,
  type StepResponse,
} from '../../contract/evidence.ts';
import { excerpt, type Finding, finding, observed } from '../../contract/finding.ts';
import type { Rule } from '../../contract/rule.ts';
import { state, statement } from '../../requires.ts';
import * as expect from '../expect.ts';
import type { ObservedResponse, ResponseCheck, ResponseRuleDetails, TraceCheck } from './passive-rule.ts';
import { isOperation, isResponseTo, readCategory, readCode, responseRule, traceRule } from './passive-rule.ts';

/** Expects a header, if present, to be valid for its schema or for `x-tolerated` of the schema. */
function checkHeaderSchema(named: expect.HeaderName): ResponseCheck {
  return (observed, context) => {
    const header = expect.resolveHeaderName(named, context);
    const text = readHeader(observed, header);
    const schema = findSchema(observed, context, header);
    if (text === undefined || schema === undefined) return [];
    const tolerated = isJsonObject(schema) ? schema['x-tolerated'] : undefined;
    const find = (one: Schema) => findProblem(text.trim(), compileSchema(one, { root: observed.document }));
    const problem = find(schema);
    if (problem === undefined || (isJsonObject(tolerated) && find(tolerated) === undefined)) return [];
    const wrong = finding('header-malformed', { step: observed.step, header }, problem, excerpt(text));
    // The API text only requires remaining spend to be at least 0. Rejecting other negative amounts relies on OP-087.
    const isAmount = /^X-Committed-Spend-(?:Limit|Current)$|-Credits-Used$/.test(header);
    return [isAmount && /^-\d+$/.test(text.trim()) ? { ...wrong, reading: 'OP-087' } : wrong];
  };
}

/** Returns the schema of a header, if necessary from the one operation that lists all headers of the API. */
function findSchema(
  { documented, operation: { api } }: ObservedResponse,
  { operation }: TargetContext,
  header: string,
): Schema | undefined {
  const { responses } = operation(api === 'model-router' ? 'runModel' : 'readJobWorkflow');
  return [documented, ...Object.values(responses)].find((one) => one && header in one.headers)?.headers[header]?.schema;
}

/** Returns the violated constraint if a header is valid neither as text nor as the integer or boolean that it encodes. */
function findProblem(text: string, check: SchemaCheck): string | undefined {
  const values: JsonValue[] = [text];
  if (/^-?\d+$/.test(text)) values.push(Number(text));
  if (/^(?:true|false)$/i.test(text)) values.push(text.toLowerCase() === 'true');
  const problems = values.map((value) => check(value)[0]?.message);
  return problems.includes(undefined) ? undefined : problems.at(-1)?.replace(/^must (?:be )?/, '');
}

/** An entry is a non-empty sentence (MR-HDR-08). */
const nonEmptySentences: expect.Matcher<string> = {
  expected: 'a JSON array of sentences',
  is: (value) => parseStringArray(value)?.every((one) => one.trim() !== '') ?? false,
};

const currentSpend = 'X-Committed-Spend-Current';
const spendHeaders = ['X-Committed-Spend-Limit', currentSpend, 'X-Committed-Spend-Remaining'] as const;
const spendFormats = [
  [spendHeaders[0], 'a whole number of cents', 'MR-HDR-17', 'MR-RUN-35', 'MR-RUN-52'],
  [spendHeaders[1], 'a whole number of cents', 'MR-HDR-19', 'MR-RUN-36', 'MR-RUN-53'],
  [spendHeaders[2], 'a whole number of cents and at least 0', 'MR-HDR-20', 'MR-HDR-21', 'MR-RUN-37', 'MR-RUN-54'],
] as const;

/** Defines a rule about the format of a header: by default that of its schema, wherever the header is present. */
function formatRule(
  id: string,
  header: expect.HeaderName,
  {
    check = checkHeaderSchema(header),
    ...described
  }: Omit<ResponseRuleDetails, 'check'> & Partial<ResponseRuleDetails>,
): Rule {
  const about: ResponseRuleDetails['about'] = (observed, context) =>
    readHeader(observed, expect.resolveHeaderName(header, context)) !== undefined;
  return responseRule(`passive.header.${id}`, { requiredOf: ['mock', 'sandbox'], about, ...described, check });
}

/** Headers that may occur only once, because it would be unclear which of two values applies. */
const singleValued: readonly expect.HeaderName[] = [
  ...(['requestId', 'errorType', 'upstreamStatus', 'Retry-After', 'ETag'] as const),
  ...(['Content-Type', 'Content-Length', 'Idempotent-Replayed', ...spendHeaders] as const),
];

const checkRequired: ResponseCheck = (observed) =>
  Object.entries(observed.documented?.headers ?? {})
    .filter(([name, { required }]) => required && readHeader(observed, name) === undefined)
    .map(([header]) => {
      const at = { step: observed.step, header };
      const missing = finding('header-missing', at, `header ${header}`, expect.describeAbsence(observed, header));
      // The API text requires spend headers on each 429 of a run. On results, they rely on a reading.
      const isSpend = isResponseTo('runModel 200')(observed) && spendHeaders.some((one) => one === header);
      return isSpend ? { ...missing, reading: 'OP-081' } : missing;
    });

const requiredOf = ['mock', 'sandbox', 'live'] as const;

function readSpend(response: StepResponse): readonly number[] | undefined {
  const values = spendHeaders.map((header) => expect.readCents(response, header));
  return values.some(Number.isNaN) ? undefined : values;
}

const isCompleted = (one: ObservedResponse): boolean =>
  isResponseTo('collectRequest 200', 'cancelRequest 409')(one) || readMember(one, '/status') === 'COMPLETED';

/**
 * Checks the spend of the last call: after all other calls, the engine replays a run, which reserves nothing. Its committed
 * spend must not exceed the lowest earlier one.
 */
const checkReleasedSpend: TraceCheck = (responses) => {
  const calls = responses.filter(
    (one) => isOperation(one, 'runModel', 'submitRequest') && one.exchange.credentials === undefined,
  );
  const spends = calls.map((one) => expect.readCents(one, currentSpend));
  const [lowest, current = Number.NaN] = [Math.min(...spends.filter(Number.isInteger)), spends.at(-1)];
  const last = calls.at(-1);
  if (last === undefined || lowest === Number.POSITIVE_INFINITY) return undefined;
  const ended = new Set(responses.filter(isCompleted).map(({ parameters }) => parameters['request_id']));
  const isPending = (one: ObservedResponse): boolean =>
    [503, 504].includes(one.status) || (one.status === 201 && !ended.has(String(readMember(one, '/request_id'))));
  if (last !== responses.at(-1) || !isReplay(last) || Number.isNaN(current) || calls.some(isPending))
    return observed('no response showed the committed spend after the last call had ended');
  const at = { step: last.step, header: currentSpend };
  return current <= lowest ? [] : [finding('values-differ', at, `${lowest}, as earlier`, String(current))];
};

const checkRetryAfter = expect.header('Retry-After');

function findRepeatedIds(responses: readonly StepResponse[], { headers }: TargetContext): readonly Finding[] {
  const firstSteps = new Map<string, string>();
  return responses.flatMap((response) => {
    const id = readHeader(response, headers.requestId);
    if (id === undefined) return [];
    const first = once(firstSteps, id, () => response.step);
    if (first === response.step) return [];
    const at = { step: response.step, header: headers.requestId };
    return [finding('value-unexpected', at, 'a new id', `the id of response ${first}`)];
  });
}

export const headerRules = [
  traceRule('trace.request-id.is-unique', {
    concern: 'form',
    sentence: 'Every response has its own request id.',
    requirements: ['MR-HDR-03'],
    requiredOf: ['sandbox', 'live'],
    requires: [state],
    check: findRepeatedIds,
  }),
  responseRule('passive.header.request-id-everywhere', {
    sentence: 'Every response of the router has its request id.',
    requirements: [
      ...['MR-HDR-01', 'MR-CAT-18', 'MR-RUN-30', 'MR-RUN-40', 'MR-SCH-05', 'MR-SCH-14', 'MR-SUB-11'],
      ...['MR-COL-07', 'MR-COL-11', 'MR-STA-04', 'MR-CAN-06', 'MR-CAN-07'],
    ],
    requiredOf,
    check: expect.header('requestId', expect.nonEmpty),
  }),
  responseRule('passive.header.required-ones-are-there', {
    sentence: 'Every response has the headers that its operation requires.',
    requirements: [
      ...['MR-HDR-01', 'MR-HDR-04', 'MR-HDR-22', 'MR-HDR-23', 'MR-HDR-24', 'MR-ERR-21', 'MR-RUN-39'],
      ...['MR-RUN-31', 'MR-RUN-35', 'MR-RUN-36', 'MR-RUN-37', 'MR-RUN-52', 'MR-RUN-53', 'MR-RUN-54', 'MR-RUN-56'],
      ...['MR-COL-08', 'MR-COL-12', 'MR-SCH-06', 'MR-SCH-07', 'MR-SCH-15', 'MR-SCH-16', 'MR-STA-05', 'MR-RUN-60'],
    ],
    partReading: 'OP-081',
    requiredOf,
    check: checkRequired,
  }),
  responseRule('passive.header.given-once', {
    sentence: 'A header that may have only one value is sent only once.',
    requirements: ['MR-HDR-01', 'MR-HDR-04', 'MR-HDR-15', 'MR-HDR-23', 'MR-HDR-17', 'MR-HDR-19', 'MR-HDR-20'],
    requiredOf,
    check: (response, context) =>
      singleValued.flatMap((named) => {
        const header = expect.resolveHeaderName(named, context);
        const values = headerValues(response, header);
        if (values.length < 2) return [];
        return [finding('header-repeated', { step: response.step, header }, 'one line', excerpt(values.join(' | ')))];
      }),
  }),
  formatRule('nosniff', 'X-Content-Type-Options', {
    sentence: 'X-Content-Type-Options, if present, is nosniff.',
    requirements: ['MR-HDR-22', 'MR-RUN-31', 'MR-COL-08'],
    check: expect.header('X-Content-Type-Options', expect.matchingPattern('nosniff', /^nosniff$/i)),
  }),
  formatRule('entity-tag', 'ETag', {
    concern: 'discovery',
    sentence: 'The entity tag of a schema document is strong.',
    requirements: ['MR-HDR-23', 'MR-SCH-06', 'MR-SCH-08', 'MR-SCH-15'],
    check: expect.header('ETag', expect.strongEntityTag),
  }),
  formatRule('cache-control', 'Cache-Control', {
    concern: 'discovery',
    sentence: 'The Cache-Control header of a schema document is `private, must-revalidate`.',
    requirements: ['MR-HDR-24', 'MR-SCH-07', 'MR-SCH-10', 'MR-SCH-16'],
  }),
  formatRule('upstream-status', 'upstreamStatus', {
    sentence: 'The upstream-status header, if present, is an HTTP status.',
    requirements: ['MR-HDR-05', 'MR-RUN-41', 'MR-RUN-56', 'MR-RUN-59'],
    requiredOf: ['sandbox'],
  }),
  formatRule('dropped-params', 'droppedParams', {
    sentence: 'The dropped-params header, if present, is a JSON array of sentences.',
    requirements: ['MR-HDR-06', 'MR-HDR-08', 'MR-RUN-33'],
    check: expect.header('droppedParams', nonEmptySentences),
  }),
  formatRule('fallback-provider', 'fallbackProvider', {
    sentence: 'The fallback-provider header, if present, contains a name.',
    requirements: ['MR-HDR-12', 'MR-RUN-32'],
  }),
  formatRule('replayed', 'Idempotent-Replayed', {
    sentence: 'Idempotent-Replayed, if present, is true.',
    requirements: ['MR-HDR-13', 'MR-RUN-34', 'MR-RUN-42', 'MR-RUN-50', 'MR-SUB-12'],
  }),
  formatRule('retry-after', 'Retry-After', {
    sentence: 'Retry-After, if present, is a whole number of seconds.',
    requirements: [
      ...['MR-HDR-15', 'MR-STA-05', 'MR-COL-12', 'MR-RUN-47', 'MR-RUN-60', 'MR-IDM-05', 'MR-IDM-07', 'MR-IDM-11'],
    ],
  }),
  formatRule('credits-used', 'creditsUsed', {
    concern: 'spending',
    sentence: 'The credits-used header, if present, is a number.',
    requirements: ['MR-HDR-25'],
    partReading: 'OP-087',
  }),
  ...spendFormats.map(([header, format, ...requirements]) =>
    formatRule(header.slice('X-Committed-'.length).toLowerCase(), header, {
      concern: 'spending',
      sentence: `${header}, if present, is ${format}.`,
      requirements,
      partReading: 'OP-087',
    }),
  ),
  responseRule('passive.spend.adds-up', {
    concern: 'spending',
    sentence: 'X-Committed-Spend-Remaining is the limit minus the current spend, or 0 if that is negative.',
    requirements: ['MR-HDR-17', 'MR-HDR-19', 'MR-HDR-20', 'MR-HDR-21'],
    requiredOf: ['mock', 'sandbox'],
    about: (response) => readSpend(response) !== undefined,
    check: (response) => {
      const [limit = 0, current = 0, remaining = 0] = readSpend(response) ?? [];
      const wanted = Math.max(0, limit - current);
      if (remaining === wanted) return [];
      const at = { step: response.step, header: 'X-Committed-Spend-Remaining' };
      return [finding('values-differ', at, `${limit} - ${current} = ${wanted}`, String(remaining))];
    },
  }),
  traceRule('trace.spend.is-free-when-calls-have-ended', {
    concern: 'spending',
    sentence: 'After all calls have ended, no spend is committed for them, if the service has no other callers.',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    readsAttributed: true,
    requires: [state, ...statement('exclusive')],
    requiredOf: ['live'],
    check: checkReleasedSpend,
  }),
  responseRule('passive.retry-after.says-how-long-to-wait', {
    concern: 'errors',
    sentence: 'Responses about pending requests and running calls, and 429 rate_limited, have Retry-After.',
    requirements: ['MR-STA-05', 'MR-COL-12', 'MR-RUN-47', 'MR-IDM-05', 'MR-IDM-11'],
    about: (observed, context) => {
      // OP-239: a completed request needs no Retry-After.
      if (isResponseTo('collectRequest 202')(observed)) return true;
      if (isResponseTo('readStatus 200')(observed)) return readMember(observed, '/status') !== 'COMPLETED';
      const category = readCategory(observed, context);
      const isCallRunning = isResponseTo('runModel 409', 'submitRequest 409')(observed);
      if (isCallRunning) return category === 'concurrency_limit_exceeded';
      return observed.status === 429 && category === 'rate_limited';
    },
    check: checkRetryAfter,
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
      const reading = readCode(observed) === 'rate_limited' ? undefined : 'OP-091';
      const checkSeconds = expect.withReading(reading, checkHeaderSchema('Retry-After'));
      return [...checkRetryAfter(observed, context), ...checkSeconds(observed, context)];
    },
  }),
  responseRule('passive.replay.carries-no-credits', {
    concern: 'spending',
    sentence: 'A replay has no credits-used header.',
    requirements: ['MR-HDR-27', 'MR-HDR-14', 'MR-IDM-02'],
    about: isReplay,
    check: expect.noHeader('creditsUsed'),
  }),
];
