import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Found } from './compare-scalars.ts';
import { childPointer, type Located, listParts, type Place, rawSchema } from './located-schema.ts';
import { type ChangeRuleId, sameJson } from './schema-change.ts';
import type { Keyword, Shape } from './shape.ts';

/** The older and the newer schemas of a member, and the member as code names it. */
export type Pair = { readonly old: Place; readonly now: Place; readonly field: string };
/** What changed in a place, and the places inside it. */
export type Compared = { readonly found: readonly Found[]; readonly inner: readonly Pair[] };

/** What changed in keywords that are compared as text, such as `not` and `if`. */
export function compareOpaque(old: Shape, now: Shape): Found[] {
  const lost = [...old.opaque].flatMap(([text, one]) => (now.opaque.has(text) ? [] : [one]));
  const came = [...now.opaque].flatMap(([text, one]) => (old.opaque.has(text) ? [] : [one]));
  return [...new Set([...lost, ...came].map(({ keyword }) => keyword))].flatMap((keyword) => {
    const [before, after] = [lost, came].map((list) => list.find((one) => one.keyword === keyword));
    const at = after ?? before;
    return at === undefined ? [] : [describeKeyword(at, before, after)];
  });
}

function describeKeyword(
  { keyword, pointer }: Keyword,
  before: Keyword | undefined,
  after: Keyword | undefined,
): Found {
  const facts = { pointer: `${pointer}/${keyword}`, subject: keyword };
  if (keyword === 'schema') return { rule: 'schema-uncompared', pointer };
  if (keyword === 'oneOf')
    return { ...facts, rule: after === undefined ? 'union-made-inclusive' : 'union-made-exclusive' };
  const values = { before: before?.value, after: after?.value };
  if (before === undefined) return { ...facts, ...values, rule: 'constraint-added' };
  return { ...facts, ...values, rule: after === undefined ? 'constraint-removed' : 'constraint-changed' };
}

/** The descriptions of alternatives. */
export function compareOrigins({ origin: old }: Shape, { origin: now }: Shape): Found[] {
  return old === undefined || now === undefined ? [] : compareAnnotations([old], [now]);
}

const annotationRules: readonly [ChangeRuleId, string, string?][] = [
  ['default-changed', 'default'],
  ['description-changed', 'description'],
  ['description-changed', 'title'],
  ['examples-changed', 'examples', 'example'],
  ['deprecation-changed', 'deprecated'],
];

export function compareAnnotations(old: Place, now: Place): Found[] {
  const [before, after] = [listParts(old), listParts(now)];
  return annotationRules.flatMap(([rule, ...keywords]): Found[] => {
    const [was, is] = [readFirst(before, keywords), readFirst(after, keywords)];
    if (sameJson(was?.value, is?.value)) return [];
    return [{ rule, pointer: (is ?? was)?.pointer ?? '', before: was?.value, after: is?.value }];
  });
}

function readFirst(parts: readonly Located[], keywords: readonly (string | undefined)[]) {
  for (const part of parts) {
    const raw = rawSchema(part);
    for (const keyword of keywords) {
      const value: JsonValue | undefined = isJsonObject(raw) && keyword !== undefined ? raw[keyword] : undefined;
      if (value !== undefined && keyword !== undefined) return { value, pointer: childPointer(part, keyword) };
    }
  }
  return undefined;
}

/** The pointer of the first of the keywords that a side has, else of the place itself. */
export function findPointer({ old, now }: Pair, ...keywords: readonly string[]): string {
  const [before, after] = [listParts(old), listParts(now)];
  const found = keywords.map((keyword) =>
    readFirst([...after, ...before], keyword === 'enum' ? ['enum', 'const'] : [keyword]),
  );
  return found.find((one) => one !== undefined)?.pointer ?? now[0]?.pointer ?? old[0]?.pointer ?? '';
}
