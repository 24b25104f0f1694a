import type { ProbeContext, ServiceHeaders } from '../../contract/context.ts';
import { headerValues, readHeader } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import { defineFamily, type FamilyMember, type Rule, splitWords } from '../../contract/rule.ts';
import { expectHeader } from '../builders/expectations.ts';
import { filled, type Matcher, strongEntityTag, textsIn } from '../builders/matchers.ts';
import { fitsItsSchema, isRequired, requiredHeaders } from './documented-headers.ts';
import {
  isResponseTo,
  isResult,
  isRouterError,
  type ObservedResponse,
  readCategory,
  readMember,
} from './observed-response.ts';
import { expects, onEach, passive, type ResponseCheck } from './passive-rule.ts';

type Named = (headers: ServiceHeaders) => string;

/** An entry is a sentence, so it is not empty (MR-HDR-08). */
const sentences: Matcher<string> = {
  expected: 'JSON text of an array of sentences',
  is: (value) => textsIn(value)?.every((one) => one.trim() !== '') ?? false,
};
const nosniff: Matcher<string> = { expected: 'nosniff', is: (value) => value.trim().toLowerCase() === 'nosniff' };
const has =
  (named: Named) =>
  ({ response }: ObservedResponse, { headers }: ProbeContext): boolean =>
    readHeader(response, named(headers)) !== undefined;

/** A header that has one form wherever it appears: that of its schema. */
function typed([id, form]: readonly [string, string], named: Named, requirements: readonly string[]): FamilyMember {
  const sentence = `${form}, wherever it appears.`;
  return { id: `passive.header.${id}`, sentence, requirements, check: onEach(has(named), fitsItsSchema(named)) };
}

const spendParts = ['Limit', 'Current', 'Remaining'];
const spendHeader =
  (part: string): Named =>
  () =>
    `X-Committed-Spend-${part}`;

const typedRules = defineFamily({ ...passive, requiredOf: ['mock', 'sandbox'] }, [
  typed(['upstream-status', "The header with the provider's status is a status"], (headers) => headers.upstreamStatus, [
    'MR-HDR-05',
    'MR-RUN-41',
    'MR-RUN-56',
    'MR-RUN-59',
  ]),
  {
    id: 'passive.header.dropped-params',
    sentence: 'The header of dropped fields is a JSON array of sentences, wherever it appears.',
    requirements: ['MR-HDR-06', 'MR-HDR-08', 'MR-RUN-33'],
    check: onEach(
      has((headers) => headers.droppedParams),
      expects(expectHeader((headers) => headers.droppedParams, sentences)),
    ),
  },
  typed(
    ['fallback-provider', 'The header with the fallback provider names one'],
    (headers) => headers.fallbackProvider,
    ['MR-HDR-12', 'MR-RUN-32'],
  ),
  typed(
    ['replayed', 'Idempotent-Replayed is true'],
    () => 'Idempotent-Replayed',
    splitWords('MR-HDR-13 MR-RUN-34 MR-RUN-42 MR-RUN-50 MR-SUB-12'),
  ),
  typed(
    ['retry-after', 'Retry-After is a whole number of seconds'],
    () => 'Retry-After',
    splitWords('MR-HDR-15 MR-STA-05 MR-COL-12 MR-RUN-47 MR-RUN-60 MR-IDM-05 MR-IDM-07 MR-IDM-11'),
  ),
  typed(['spend-limit', 'X-Committed-Spend-Limit is a whole number of cents'], spendHeader('Limit'), [
    'MR-HDR-17',
    'MR-RUN-35',
    'MR-RUN-52',
  ]),
  typed(['spend-current', 'X-Committed-Spend-Current is a whole number of cents'], spendHeader('Current'), [
    'MR-HDR-19',
    'MR-RUN-36',
    'MR-RUN-53',
  ]),
  typed(
    ['spend-remaining', 'X-Committed-Spend-Remaining is a whole number of cents of at least 0'],
    spendHeader('Remaining'),
    ['MR-HDR-20', 'MR-HDR-21', 'MR-RUN-37', 'MR-RUN-54'],
  ),
  typed(['credits-used', 'The header with the credits used is a number'], (headers) => headers.creditsUsed, [
    'MR-HDR-25',
  ]),
]);

/** The documents give each of them one value; a second line would leave open which one counts. */
const givenOnce: readonly Named[] = [
  (headers) => headers.requestId,
  (headers) => headers.errorType,
  (headers) => headers.upstreamStatus,
  ...['Retry-After', 'ETag', 'Content-Type', 'Content-Length', 'Idempotent-Replayed'].map((name) => () => name),
  ...spendParts.map(spendHeader),
];

const checkGivenOnce: ResponseCheck = ({ response }, { headers }) =>
  givenOnce.flatMap((named) => {
    const header = named(headers);
    const values = headerValues(response, header);
    if (values.length < 2) return [];
    return [finding('header-repeated', { step: response.step, header }, 'one line', excerpt(values.join(' | ')))];
  });

const expectSpend = (part: string): ResponseCheck => expects(expectHeader(spendHeader(part), filled));

/** C-38: spend comes with every result, also one that is replayed or no JSON, and with every 429 of a run. */
const givesSpend = isResponseTo('runModel 200', 'runModel 429');
const isSchemaDocument = isResponseTo('readSchemaDocument 200', 'readSchemaDocument 304');

const requiredRules = defineFamily({ ...passive, requiredOf: ['mock', 'sandbox', 'live'] }, [
  {
    id: 'passive.header.request-id-everywhere',
    sentence: 'Every answer of the router carries its request id.',
    requirements: splitWords(`
      MR-HDR-01 MR-CAT-18 MR-RUN-30 MR-RUN-40 MR-SCH-05 MR-SCH-14 MR-SUB-11 MR-COL-07 MR-COL-11 MR-STA-04 MR-CAN-06
      MR-CAN-07
    `),
    check: onEach(() => true, expects(expectHeader((headers) => headers.requestId, filled))),
  },
  {
    id: 'passive.header.error-type-on-errors',
    sentence: 'Every error of the router names its category in a header.',
    requirements: ['MR-HDR-04', 'MR-ERR-21', 'MR-RUN-39'],
    check: onEach(isRouterError, expects(expectHeader((headers) => headers.errorType, filled))),
  },
  {
    id: 'passive.header.nosniff-on-results',
    sentence: 'Every result carries X-Content-Type-Options with nosniff.',
    requirements: ['MR-HDR-22', 'MR-RUN-31', 'MR-COL-08'],
    requiredOf: ['mock', 'sandbox'],
    check: onEach(isResult, expects(expectHeader('X-Content-Type-Options', nosniff))),
  },
  {
    id: 'passive.header.entity-tag',
    sentence: 'Every answer with a schema document, and its 304, carries a strong entity tag.',
    requirements: ['MR-HDR-23', 'MR-SCH-06', 'MR-SCH-08', 'MR-SCH-15'],
    check: onEach(isSchemaDocument, expects(expectHeader('ETag', strongEntityTag))),
  },
  {
    id: 'passive.header.cache-control',
    sentence: 'Every answer with a schema document, and its 304, carries the documented Cache-Control.',
    requirements: ['MR-HDR-24', 'MR-SCH-07', 'MR-SCH-10', 'MR-SCH-16'],
    check: onEach(isSchemaDocument, (observed, context) => [
      ...expectHeader('Cache-Control')(observed.response, context, [observed.exchange]),
      ...fitsItsSchema('Cache-Control')(observed, context),
    ]),
  },
  ...[
    { part: 'Limit', requirements: ['MR-RUN-35', 'MR-RUN-52'] },
    { part: 'Current', requirements: ['MR-RUN-36', 'MR-RUN-53'] },
    { part: 'Remaining', requirements: ['MR-RUN-37', 'MR-RUN-54'] },
  ].map(
    ({ part, requirements }): FamilyMember => ({
      id: `passive.header.spend-${part.toLowerCase()}-on-runs`,
      sentence: `Every answer to a run that the documents name carries X-Committed-Spend-${part}.`,
      requirements,
      requiredOf: ['mock', 'sandbox'],
      check: onEach(givesSpend, (observed, context) =>
        isRequired(observed, spendHeader(part)(context.headers)) ? expectSpend(part)(observed, context) : [],
      ),
    }),
  ),
  {
    id: 'passive.header.required-ones-are-there',
    sentence: 'Every answer carries the headers that its operation requires.',
    requirements: splitWords(`
      MR-HDR-01 MR-HDR-04 MR-HDR-22 MR-HDR-23 MR-HDR-24 MR-RUN-31 MR-RUN-35 MR-RUN-36 MR-RUN-37 MR-RUN-52 MR-RUN-53
      MR-RUN-54 MR-RUN-56 MR-COL-08 MR-COL-12 MR-SCH-06 MR-SCH-07 MR-SCH-15 MR-SCH-16 MR-STA-05 MR-RUN-60
    `),
    check: onEach(() => true, requiredHeaders),
  },
  {
    id: 'passive.header.given-once',
    sentence: 'Headers that have one value are given once.',
    requirements: ['MR-HDR-01', 'MR-HDR-04', 'MR-HDR-15', 'MR-HDR-23', 'MR-HDR-17', 'MR-HDR-19', 'MR-HDR-20'],
    check: onEach(() => true, checkGivenOnce),
  },
]);

function readSpend({ response }: ObservedResponse): readonly number[] | undefined {
  const values = spendParts.map((part) => readHeader(response, `X-Committed-Spend-${part}`)?.trim() ?? '');
  return values.every((value) => /^-?\d+$/.test(value)) ? values.map(Number) : undefined;
}

/** Above the cap nothing remains, never less than nothing (MR-HDR-21). */
function checkSpend(observed: ObservedResponse): readonly Finding[] {
  const [limit = 0, current = 0, remaining = 0] = readSpend(observed) ?? [];
  const wanted = Math.max(0, limit - current);
  if (remaining === wanted) return [];
  const at = { step: observed.response.step, header: 'X-Committed-Spend-Remaining' };
  return [finding('values-differ', at, `${limit} - ${current} = ${wanted}`, String(remaining))];
}

/** C-39: a time to wait is pointless once the request is complete. */
const isPending = (observed: ObservedResponse): boolean =>
  isResponseTo('collectRequest 202')(observed) ||
  (isResponseTo('readStatus 200')(observed) && readMember(observed, 'status') !== 'COMPLETED');

// The form of Retry-After is checked wherever it appears.
const checkRetryAfter = expects(expectHeader('Retry-After'));

const relationRules = defineFamily(passive, [
  {
    id: 'passive.spend.adds-up',
    sentence: 'Committed spend remaining is the limit less what is committed, and never below 0.',
    requirements: ['MR-HDR-17', 'MR-HDR-19', 'MR-HDR-20', 'MR-HDR-21'],
    requiredOf: ['mock', 'sandbox'],
    check: onEach((observed) => readSpend(observed) !== undefined, checkSpend),
  },
  {
    id: 'passive.retry-after.while-pending',
    sentence: 'An answer about a pending request says when to return.',
    requirements: ['MR-STA-05', 'MR-COL-12'],
    check: onEach(isPending, checkRetryAfter),
  },
  {
    id: 'passive.retry-after.while-the-first-call-runs',
    sentence: 'A 409 while the first call runs says when to return.',
    requirements: ['MR-RUN-47', 'MR-IDM-05'],
    check: onEach(
      (observed, context) =>
        isResponseTo('runModel 409', 'submitRequest 409')(observed) &&
        readCategory(observed, context) === 'concurrency_limit_exceeded',
      checkRetryAfter,
    ),
  },
  {
    id: 'passive.retry-after.when-the-quota-is-used-up',
    sentence: 'A 429 rate_limited says when to return.',
    requirements: ['MR-IDM-11'],
    check: onEach(
      (observed, context) => observed.response.status === 429 && readCategory(observed, context) === 'rate_limited',
      checkRetryAfter,
    ),
  },
]);

export const headerRules: readonly Rule[] = [...requiredRules, ...typedRules, ...relationRules];
