import { headerOf, textOf } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import type { Draft } from '../finding.ts';
import { excerpt, finding, requireHeader } from '../require.ts';
import type { Rule } from '../rule.ts';
import { hasCapability } from '../target.ts';
import { passiveRule, traceRule } from './passive-rule.ts';
import { categoryOf, isOf, memberOfBody, type Sighting } from './sighting.ts';

function requireUniqueIds(sightings: readonly Sighting[], { headers }: ProbeContext): readonly Draft[] | undefined {
  const firstOf = new Map<string, string>();
  return sightings.flatMap(({ answer }) => {
    const id = headerOf(answer, headers.requestId);
    if (id === undefined) return [];
    const first = firstOf.get(id);
    firstOf.set(id, first ?? answer.step);
    if (first === undefined) return [];
    const at = { step: answer.step, header: headers.requestId };
    return [finding('value-unexpected', at, { expected: 'an id of its own', actual: `that of answer ${first}` })];
  });
}

const spendParts = ['Limit', 'Current', 'Remaining'] as const;

function spendOf({ answer }: Sighting): readonly number[] | undefined {
  const values = spendParts.map((part) => headerOf(answer, `X-Committed-Spend-${part}`)?.trim() ?? '');
  return values.every((value) => /^-?\d+$/.test(value)) ? values.map(Number) : undefined;
}

/** What is over the cap leaves nothing, never less than nothing (MR-HDR-21). */
function requireSpendAddsUp(sighting: Sighting): readonly Draft[] {
  const [limit = 0, current = 0, remaining = 0] = spendOf(sighting) ?? [];
  const wanted = Math.max(0, limit - current);
  if (remaining === wanted) return [];
  const at = { step: sighting.answer.step, header: 'X-Committed-Spend-Remaining' };
  return [finding('values-differ', at, { expected: `${limit} - ${current} = ${wanted}`, actual: String(remaining) })];
}

type Waiting = {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly of: (sighting: Sighting, context: ProbeContext) => boolean;
};

const waits: readonly Waiting[] = [
  {
    id: 'while-pending',
    requirements: ['MR-STA-05', 'MR-COL-12'],
    // C-39: pointless once complete.
    of: (sighting) =>
      (isOf(sighting, 'readStatus') &&
        sighting.answer.status === 200 &&
        memberOfBody(sighting, 'status') !== 'COMPLETED') ||
      (isOf(sighting, 'collectRequest') && sighting.answer.status === 202),
  },
  {
    id: 'while-the-first-call-runs',
    requirements: ['MR-RUN-47', 'MR-IDM-05'],
    of: (sighting, context) =>
      isOf(sighting, 'runModel', 'submitRequest') &&
      sighting.answer.status === 409 &&
      categoryOf(sighting, context) === 'concurrency_limit_exceeded',
  },
  {
    id: 'when-the-quota-is-used-up',
    requirements: ['MR-IDM-11'],
    of: (sighting, context) => sighting.answer.status === 429 && categoryOf(sighting, context) === 'rate_limited',
  },
];

/** A strong tag stands for the bytes: one for each version of a document, and never one for two. */
function requireTagsOfBytes(sightings: readonly Sighting[]): readonly Draft[] | undefined {
  const documents = sightings.filter((one) => isOf(one, 'readSchemaDocument') && one.answer.status === 200);
  if (documents.length === 0) return undefined;
  const [tagOfText, textOfTag] = [new Map<string, string>(), new Map<string, string>()];
  return documents.flatMap(({ answer, parameters }) => {
    const tag = headerOf(answer, 'ETag')?.trim();
    if (tag === undefined) return [];
    const model = `${parameters['provider']}/${parameters['model']}`;
    const text = textOf(answer);
    const [usualTag, usualText] = [tagOfText.get(`${model} ${text}`), textOfTag.get(`${model} ${tag}`)];
    tagOfText.set(`${model} ${text}`, usualTag ?? tag);
    textOfTag.set(`${model} ${tag}`, usualText ?? text);
    const at = { step: answer.step, header: 'ETag' };
    if (usualTag !== undefined && usualTag !== tag)
      return [finding('values-differ', at, { expected: `${usualTag} for the same bytes`, actual: tag })];
    if (usualText !== undefined && usualText !== text)
      return [finding('values-differ', at, { expected: 'another tag for other bytes', actual: excerpt(tag) })];
    return [];
  });
}

export const exchangeTraceRules: readonly Rule[] = [
  traceRule({
    id: 'request-id.is-unique',
    requirements: ['MR-HDR-03'],
    appliesTo: hasCapability('state'),
    judge: requireUniqueIds,
  }),
  traceRule({
    id: 'entity-tag.stands-for-the-bytes',
    requirements: ['MR-SCH-09'],
    appliesTo: hasCapability('state'),
    judge: requireTagsOfBytes,
  }),
  passiveRule({
    id: 'spend.adds-up',
    requirements: ['MR-HDR-17', 'MR-HDR-19', 'MR-HDR-20', 'MR-HDR-21'],
    of: (sighting) => spendOf(sighting) !== undefined,
    judge: requireSpendAddsUp,
  }),
  ...waits.map(({ id, requirements, of }) =>
    passiveRule({
      id: `retry-after.${id}`,
      requirements,
      of,
      // Its form is judged wherever it stands.
      judge: ({ answer }) => requireHeader(answer, 'Retry-After'),
    }),
  ),
];
