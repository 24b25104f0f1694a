import {
  type CanonicalSchema,
  isJsonObject,
  type JsonValue,
  limitKeywords,
  readFormat,
} from '../../../specs/src/index.ts';
import { type ChangeRuleId, compareSets, sameJson } from './schema-change.ts';
import type { NodeType } from './types-and-values.ts';

/** Limits by keyword; the strictest of each. Of those that cannot be ranked, such as patterns, all as one list. */
type KeywordLimits = Map<string, JsonValue>;

/** How many items match `contains` is compared with it. */
const compared = new Map([...limitKeywords].filter(([keyword, { informs }]) => !informs && !/Contains$/.test(keyword)));

/** Keywords that say more than a list of values, as far as is known without running them. */
const unranked = new Set(['pattern', 'format']);

export function mergeLimits(schemas: readonly CanonicalSchema[]): KeywordLimits {
  const limits: KeywordLimits = new Map();
  for (const [keyword, value] of schemas.flatMap((schema) => [...(schema.limits ?? [])])) {
    if (!compared.has(keyword) || isTrivial(keyword, value)) continue;
    const known = limits.get(keyword);
    const change = known === undefined ? 'bound-tightened' : compareLimit(keyword, known, value);
    if (change === 'bound-tightened') limits.set(keyword, value);
    else if (known !== undefined && change !== undefined && change !== 'bound-loosened')
      limits.set(keyword, mergeValues(known, value));
  }
  const most = limits.get('maxItems');
  if (typeof most === 'number' && most <= 1) limits.delete('uniqueItems');
  return limits;
}

function isTrivial(keyword: string, value: JsonValue): boolean {
  const { end, type } = compared.get(keyword) ?? {};
  return value === false || value === '' || (value === 0 && end === 'least' && type !== 'number');
}

function mergeValues(known: JsonValue, value: JsonValue): JsonValue {
  const all = new Map([known, value].flatMap(toList).map((one) => [JSON.stringify(one), one]));
  return [...all].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

export function toList(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

type LimitChange = {
  readonly keyword: string;
  readonly rule: ChangeRuleId;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
};

type Bounded = {
  readonly limits: KeywordLimits;
  readonly types: ReadonlySet<NodeType> | undefined;
  readonly enum: readonly JsonValue[] | undefined;
};

/** Limits of values that both sides may have. */
export function compareLimits(old: Bounded, now: Bounded): LimitChange[] {
  const areListed = isListedWithin(old, now) || isListedWithin(now, old);
  const isInteger = acceptsOnlyIntegers(old) && acceptsOnlyIntegers(now);
  const apply = ({ limits }: Bounded): KeywordLimits => {
    const applying = [...limits].filter(
      ([keyword]) => (!areListed || unranked.has(keyword)) && [old, now].every(({ types }) => concerns(keyword, types)),
    );
    return isInteger ? forIntegers(new Map(applying)) : new Map(applying);
  };
  const [before, after] = [apply(old), apply(now)];
  const others = [...new Set([...before.keys(), ...after.keys()])].filter((keyword) => !isNumericBound(keyword)).sort();
  return [
    ...compareBounds(findBound('minimum', before, isInteger), findBound('minimum', after, isInteger)),
    ...compareBounds(findBound('maximum', before, isInteger), findBound('maximum', after, isInteger)),
    ...others.flatMap((keyword): LimitChange[] => {
      const [earlier, later] = [before.get(keyword), after.get(keyword)];
      const rule = compareLimit(keyword, earlier, later);
      return rule === undefined ? [] : [{ keyword, rule, before: earlier, after: later }];
    }),
  ];
}

function concerns(keyword: string, types: Bounded['types']): boolean {
  const type = compared.get(keyword)?.type;
  return type === undefined || types === undefined || types.has(type === 'number' ? 'integer' : type);
}

/** Whether every value that one side lists is within the bounds of the other one, so that no bound says more than the list. */
function isListedWithin({ enum: values }: Bounded, { limits, enum: others }: Bounded): boolean {
  if (values === undefined) return false;
  return others !== undefined || values.every((value) => [...limits].every((limit) => isWithin(value, limit)));
}

/** Whether a value keeps a bound; a pattern is not run, for it may be hostile. */
export function isWithin(value: JsonValue, [keyword, bound]: readonly [string, JsonValue]): boolean {
  const size = measure(value, keyword);
  if (size === undefined) return true;
  if (typeof bound !== 'number') return false;
  if (keyword === 'multipleOf') return size === 0 || isIntegerRatio(Math.abs(size), bound);
  const [least, most] = isLeast(keyword) ? [bound, size] : [size, bound];
  return keyword.startsWith('exclusive') ? least < most : least <= most;
}

function isLeast(keyword: string): boolean {
  return compared.get(keyword)?.end === 'least';
}

function measure(value: JsonValue, keyword: string): number | undefined {
  const type = compared.get(keyword)?.type;
  if (typeof value === 'string') return type === 'string' ? [...value].length : undefined;
  if (typeof value === 'number') return type === 'number' ? value : undefined;
  if (Array.isArray(value)) return type === 'array' ? value.length : undefined;
  return isJsonObject(value) && type === 'object' ? Object.keys(value).length : undefined;
}

function acceptsOnlyIntegers({ types }: Bounded): boolean {
  return types !== undefined && !types.has('fraction');
}

// Every integer is a multiple of 1, 1/2, 1/3 and so on.
function forIntegers(limits: KeywordLimits): KeywordLimits {
  const step = limits.get('multipleOf');
  if (typeof step !== 'number' || !isIntegerRatio(1, step)) return limits;
  return new Map([...limits].filter(([keyword]) => keyword !== 'multipleOf'));
}

function isNumericBound(keyword: string): boolean {
  const { type, end } = compared.get(keyword) ?? {};
  return type === 'number' && end !== undefined;
}

/** One end of a range. `reach` grows as the range shrinks. */
type Bound = { readonly value: number; readonly keyword: string; readonly reach: number; readonly isOpen: boolean };

/** The stricter of the two keywords for one end. For integers, an exclusive bound is the next integer, inclusive. */
function findBound(side: 'minimum' | 'maximum', limits: KeywordLimits, isInteger: boolean): Bound | undefined {
  const [sign, exclusive] = side === 'minimum' ? [1, 'exclusiveMinimum'] : [-1, 'exclusiveMaximum'];
  const bounds = [exclusive, side].flatMap((keyword): Bound[] => {
    const value = limits.get(keyword);
    if (typeof value !== 'number') return [];
    const isOpen = keyword !== side;
    if (!isInteger) return [{ value, keyword, reach: sign * value, isOpen }];
    const reach = isOpen ? Math.floor(sign * value) + 1 : Math.ceil(sign * value);
    return [{ value, keyword, reach, isOpen: false }];
  });
  return bounds.sort((left, right) => right.reach - left.reach || Number(right.isOpen) - Number(left.isOpen))[0];
}

function compareBounds(old: Bound | undefined, now: Bound | undefined): LimitChange[] {
  const keyword = now?.keyword ?? old?.keyword;
  if (keyword === undefined || (old?.reach === now?.reach && old?.isOpen === now?.isOpen)) return [];
  const isTighter =
    old === undefined || (now !== undefined && (now.reach > old.reach || (now.reach === old.reach && now.isOpen)));
  const rule = isTighter ? 'bound-tightened' : 'bound-loosened';
  return [{ keyword, rule, before: old?.value, after: now?.value }];
}

function compareLimit(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ChangeRuleId | undefined {
  if (sameJson(before, after)) return undefined;
  if (keyword === 'format') return changesCheck(before, after) ? 'format-changed' : 'format-noted';
  if (keyword === 'pattern')
    return `pattern-${compareSets(new Set(toList(before)), new Set(toList(after))) ?? 'changed'}`;
  if (keyword === 'uniqueItems') return after === undefined ? 'uniqueness-removed' : 'uniqueness-added';
  if (before === undefined) return 'bound-tightened';
  if (after === undefined) return 'bound-loosened';
  if (typeof before !== 'number' || typeof after !== 'number') return 'bound-changed';
  if (keyword === 'multipleOf') return compareMultiples(before, after);
  return isLeast(keyword) === after > before ? 'bound-tightened' : 'bound-loosened';
}

function changesCheck(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return [...toList(before), ...toList(after)].some((format) => readFormat(format).hasCheck);
}

function compareMultiples(before: number, after: number): ChangeRuleId {
  if (isIntegerRatio(after, before)) return 'bound-tightened';
  return isIntegerRatio(before, after) ? 'bound-loosened' : 'bound-changed';
}

// Floating point is inexact: 0.3 / 0.1 is a little less than 3.
function isIntegerRatio(large: number, small: number): boolean {
  const ratio = large / small;
  return Math.round(ratio) >= 1 && Math.abs(ratio - Math.round(ratio)) < 1e-9 * ratio;
}
