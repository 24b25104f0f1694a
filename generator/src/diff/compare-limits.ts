import { type CanonicalSchema, type JsonValue, readFormat } from '../../../specs/src/index.ts';
import { type ChangeRuleId, sameJson } from './schema-change.ts';

/** Limits by keyword; the strictest of each. */
export type KeywordLimits = Map<string, JsonValue>;

const lower = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const upper = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
const keywords = new Set([...lower, ...upper, 'multipleOf', 'pattern', 'format', 'uniqueItems']);

export function mergeLimits(schemas: readonly CanonicalSchema[]): KeywordLimits {
  const limits: KeywordLimits = new Map();
  for (const [keyword, value] of schemas.flatMap((schema) => [...(schema.limits ?? [])])) {
    const isTrivial = value === false || (value === 0 && /^min(?:Length|Items|Properties)$/.test(keyword));
    if (!keywords.has(keyword) || isTrivial) continue;
    const known = limits.get(keyword);
    if (known === undefined || compareLimit(keyword, known, value) === 'bound-tightened') limits.set(keyword, value);
  }
  return limits;
}

export type LimitChange = {
  readonly keyword: string;
  readonly rule: ChangeRuleId;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
};

type Bounded = { readonly limits: KeywordLimits; readonly types: ReadonlySet<string> | undefined };

export function compareLimits(old: Bounded, now: Bounded): LimitChange[] {
  const isInteger = acceptsOnlyIntegers(old) && acceptsOnlyIntegers(now);
  const [before, after] = isInteger ? [forIntegers(old.limits), forIntegers(now.limits)] : [old.limits, now.limits];
  const others = [...new Set([...before.keys(), ...after.keys()])].filter((keyword) => !isNumericBound(keyword)).sort();
  return [
    ...compareBounds(boundOf('minimum', before, isInteger), boundOf('minimum', after, isInteger)),
    ...compareBounds(boundOf('maximum', before, isInteger), boundOf('maximum', after, isInteger)),
    ...others.flatMap((keyword): LimitChange[] => {
      const [earlier, later] = [before.get(keyword), after.get(keyword)];
      const rule = compareLimit(keyword, earlier, later);
      return rule === undefined ? [] : [{ keyword, rule, before: earlier, after: later }];
    }),
  ];
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
  return /^(?:exclusiveM|m)(?:inimum|aximum)$/.test(keyword);
}

/** One end of a range. `reach` grows as the range shrinks. */
type Bound = { readonly value: number; readonly keyword: string; readonly reach: number; readonly isOpen: boolean };

/** The stricter of the two keywords for one end. For integers, an exclusive bound is the next integer, inclusive. */
function boundOf(side: 'minimum' | 'maximum', limits: KeywordLimits, isInteger: boolean): Bound | undefined {
  const sign = side === 'minimum' ? 1 : -1;
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
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
  if (keyword === 'format')
    return [before, after].some((one) => readFormat(one).hasCheck) ? 'format-changed' : 'format-noted';
  if (keyword === 'pattern') return `pattern-${presence(before, after)}`;
  if (keyword === 'uniqueItems') return after === undefined ? 'uniqueness-removed' : 'uniqueness-added';
  if (before === undefined) return 'bound-tightened';
  if (after === undefined) return 'bound-loosened';
  if (typeof before !== 'number' || typeof after !== 'number') return 'bound-changed';
  if (keyword === 'multipleOf') return compareMultiples(before, after);
  return lower.has(keyword) === after > before ? 'bound-tightened' : 'bound-loosened';
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

function presence(before: JsonValue | undefined, after: JsonValue | undefined): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}
