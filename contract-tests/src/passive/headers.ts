import { headerOf, headerValues } from '../answer.ts';
import type { ProbeContext, ServiceHeaders } from '../context.ts';
import type { Draft } from '../finding.ts';
import { excerpt, finding, type Matcher, requireHeader, wholeSeconds } from '../require.ts';
import type { Rule } from '../rule.ts';
import { passiveRule } from './passive-rule.ts';
import { isOf, isRouterError, type Sighting } from './sighting.ts';

type Named = (headers: ServiceHeaders) => string;
type TypedHeader = {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly named: Named;
  readonly matcher: Matcher<string>;
};

const filled: Matcher<string> = { expected: 'a value that is not empty', is: (value) => value.trim() !== '' };
const cents: Matcher<string> = { expected: 'a whole number of cents', is: (value) => /^\d+$/.test(value.trim()) };
const httpStatus: Matcher<string> = { expected: 'an HTTP status', is: (value) => /^[1-9]\d\d$/.test(value.trim()) };
const count: Matcher<string> = { expected: 'a whole number', is: (value) => /^\d+$/.test(value.trim()) };
const truth: Matcher<string> = { expected: 'true or false', is: (value) => /^(?:true|false)$/i.test(value.trim()) };

/** C-26: one layer of JSON or two. An entry is a sentence, so none is empty (MR-HDR-08). */
const sentences: Matcher<string> = {
  expected: 'JSON text of an array of sentences',
  is: (value) => {
    const once = parsed(value);
    const list = typeof once === 'string' ? parsed(once) : once;
    return Array.isArray(list) && list.every((one) => typeof one === 'string' && one.trim() !== '');
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Headers that stand where they like, but always mean the same. */
const typedHeaders: readonly TypedHeader[] = [
  {
    id: 'upstream-status',
    requirements: ['MR-HDR-05', 'MR-RUN-41', 'MR-RUN-56', 'MR-RUN-59'],
    named: (headers) => headers.upstreamStatus,
    matcher: httpStatus,
  },
  {
    id: 'dropped-params',
    requirements: ['MR-HDR-06', 'MR-HDR-08', 'MR-RUN-33'],
    named: (headers) => headers.droppedParams,
    matcher: sentences,
  },
  {
    id: 'fallback-provider',
    requirements: ['MR-HDR-12', 'MR-RUN-32'],
    named: (headers) => headers.fallbackProvider,
    matcher: filled,
  },
  {
    id: 'replayed',
    requirements: ['MR-HDR-13', 'MR-RUN-34', 'MR-RUN-42', 'MR-RUN-50', 'MR-SUB-12'],
    named: () => 'Idempotent-Replayed',
    matcher: truth,
  },
  {
    id: 'retry-after',
    requirements: [
      ...['MR-HDR-15', 'MR-STA-05', 'MR-COL-12', 'MR-RUN-47', 'MR-RUN-60', 'MR-IDM-05', 'MR-IDM-07', 'MR-IDM-11'],
    ],
    named: () => 'Retry-After',
    matcher: wholeSeconds,
  },
  {
    id: 'spend-limit',
    requirements: ['MR-HDR-17', 'MR-RUN-35', 'MR-RUN-52'],
    named: () => 'X-Committed-Spend-Limit',
    matcher: cents,
  },
  {
    id: 'spend-current',
    requirements: ['MR-HDR-19', 'MR-RUN-36', 'MR-RUN-53'],
    named: () => 'X-Committed-Spend-Current',
    matcher: cents,
  },
  {
    id: 'spend-remaining',
    requirements: ['MR-HDR-20', 'MR-HDR-21', 'MR-RUN-37', 'MR-RUN-54'],
    named: () => 'X-Committed-Spend-Remaining',
    matcher: cents,
  },
  { id: 'credits-used', requirements: ['MR-HDR-25'], named: (headers) => headers.creditsUsed, matcher: count },
];

function typedHeaderRule({ id, requirements, named, matcher }: TypedHeader): Rule {
  const textOfHeader = ({ answer }: Sighting, { headers }: ProbeContext) => headerOf(answer, named(headers));
  return passiveRule({
    id: `header.${id}`,
    requirements,
    of: (sighting, context) => textOfHeader(sighting, context) !== undefined,
    judge: ({ answer }, { headers }) => requireHeader(answer, named(headers), matcher),
  });
}

function requiredHeaderRule(
  id: string,
  header: { named: Named; matcher: Matcher<string>; on: (sighting: Sighting) => boolean },
  requirements: readonly string[],
): Rule {
  return passiveRule({
    id: `header.${id}`,
    requirements,
    of: header.on,
    judge: ({ answer }, { headers }) => requireHeader(answer, header.named(headers), header.matcher),
  });
}

const requestIdOn = [
  ...['MR-HDR-01', 'MR-CAT-18', 'MR-RUN-30', 'MR-RUN-40', 'MR-SCH-05', 'MR-SCH-14', 'MR-SUB-11', 'MR-COL-07'],
  ...['MR-COL-11', 'MR-STA-04', 'MR-CAN-06', 'MR-CAN-07'],
];

/** The documents give each of them one value; a second line would leave open which one counts. */
const givenOnce: readonly Named[] = [
  (headers) => headers.requestId,
  (headers) => headers.errorType,
  (headers) => headers.upstreamStatus,
  ...['Retry-After', 'ETag', 'Content-Type', 'Content-Length', 'Idempotent-Replayed'].map((name) => () => name),
  ...['Limit', 'Current', 'Remaining'].map((part) => () => `X-Committed-Spend-${part}`),
];

function repeatedHeaders({ answer }: Sighting, { headers }: ProbeContext): readonly Draft[] {
  return givenOnce.flatMap((named) => {
    const header = named(headers);
    const values = headerValues(answer, header);
    if (values.length < 2) return [];
    const said = { expected: 'one line', actual: excerpt(values.join(' | ')) };
    return [finding('header-repeated', { step: answer.step, header }, said)];
  });
}

const isResult = (sighting: Sighting): boolean =>
  isOf(sighting, 'runModel', 'collectRequest') && sighting.answer.status === 200;
/** C-38: told with every result, also one that is replayed or no JSON, and with every 429 of a run. */
const tellsSpend = (sighting: Sighting): boolean =>
  isOf(sighting, 'runModel') && [200, 429].includes(sighting.answer.status);
const isSchemaDocument = (sighting: Sighting): boolean =>
  isOf(sighting, 'readSchemaDocument') && [200, 304].includes(sighting.answer.status);

const nosniff: Matcher<string> = { expected: 'nosniff', is: (value) => value.trim().toLowerCase() === 'nosniff' };
const strongTag: Matcher<string> = {
  expected: 'a strong entity tag',
  is: (value) => /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(value.trim()),
};
/** MR-SCH-10: both directives, in any order and letter case; others may stand beside them. */
const revalidated: Matcher<string> = {
  expected: 'private, must-revalidate',
  is: (value) => {
    const directives = value.split(',').map((one) => one.trim().toLowerCase());
    return directives.includes('private') && directives.includes('must-revalidate');
  },
};

export const headerRules: readonly Rule[] = [
  requiredHeaderRule(
    'request-id-everywhere',
    { named: (headers) => headers.requestId, matcher: filled, on: () => true },
    requestIdOn,
  ),
  requiredHeaderRule(
    'error-type-on-errors',
    { named: (headers) => headers.errorType, matcher: filled, on: isRouterError },
    ['MR-HDR-04', 'MR-ERR-21', 'MR-RUN-39'],
  ),
  requiredHeaderRule('nosniff-on-results', { named: () => 'X-Content-Type-Options', matcher: nosniff, on: isResult }, [
    'MR-HDR-22',
    'MR-RUN-31',
    'MR-COL-08',
  ]),
  requiredHeaderRule('entity-tag', { named: () => 'ETag', matcher: strongTag, on: isSchemaDocument }, [
    ...['MR-HDR-23', 'MR-SCH-06', 'MR-SCH-08', 'MR-SCH-15'],
  ]),
  requiredHeaderRule('cache-control', { named: () => 'Cache-Control', matcher: revalidated, on: isSchemaDocument }, [
    ...['MR-HDR-24', 'MR-SCH-07', 'MR-SCH-10', 'MR-SCH-16'],
  ]),
  ...[
    { part: 'Limit', requirements: ['MR-RUN-35', 'MR-RUN-52'] },
    { part: 'Current', requirements: ['MR-RUN-36', 'MR-RUN-53'] },
    { part: 'Remaining', requirements: ['MR-RUN-37', 'MR-RUN-54'] },
  ].map(({ part, requirements }) =>
    requiredHeaderRule(
      `spend-${part.toLowerCase()}-on-runs`,
      { named: () => `X-Committed-Spend-${part}`, matcher: filled, on: tellsSpend },
      requirements,
    ),
  ),
  ...typedHeaders.map(typedHeaderRule),
  passiveRule({
    id: 'header.given-once',
    requirements: ['MR-HDR-01', 'MR-HDR-04', 'MR-HDR-15', 'MR-HDR-23', 'MR-HDR-17', 'MR-HDR-19', 'MR-HDR-20'],
    of: () => true,
    judge: repeatedHeaders,
  }),
];
