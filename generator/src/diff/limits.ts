import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import type { RuleId } from './rules.ts';
import { sameJson } from './schema-change.ts';

/** Assertions about single values, by keyword; the strictest of each. */
export type Limits = Map<string, JsonValue>;

const lower = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const upper = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
const words = ['multipleOf', 'pattern', 'format', 'uniqueItems'];
const keywords = [...lower, ...upper, ...words];
/** A minimum of none is no minimum. */
const fromZero = new Set(['minLength', 'minItems', 'minProperties']);

export function addLimits(limits: Limits, part: JsonObject): Limits {
  for (const keyword of keywords) {
    const value = part[keyword];
    if (value === undefined || (keyword === 'uniqueItems' && value !== true)) continue;
    if (fromZero.has(keyword) && value === 0) continue;
    const known = limits.get(keyword);
    const isStricter = known === undefined || compareLimit(keyword, known, value)?.startsWith('bound-tight') === true;
    if (isStricter) limits.set(keyword, value);
  }
  return limits;
}

export type LimitChange = {
  readonly keyword: string;
  readonly rule: RuleId;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
};

/** A place with its limits; `whole` alone among its numbers when it takes no fractions. */
type Bounded = { readonly limits: Limits; readonly types: ReadonlySet<string> | undefined };

export function compareLimits(old: Bounded, now: Bounded): LimitChange[] {
  const isWhole = takesNoFractions(old) && takesNoFractions(now);
  const [before, after] = isWhole ? [ofWholeNumbers(old.limits), ofWholeNumbers(now.limits)] : [old.limits, now.limits];
  const others = [...new Set([...before.keys(), ...after.keys()])].filter((keyword) => !isNumericBound(keyword)).sort();
  return [
    ...compareBounds(boundOf('minimum', before, isWhole), boundOf('minimum', after, isWhole)),
    ...compareBounds(boundOf('maximum', before, isWhole), boundOf('maximum', after, isWhole)),
    ...others.flatMap((keyword): LimitChange[] => {
      const [earlier, later] = [before.get(keyword), after.get(keyword)];
      const rule = compareLimit(keyword, earlier, later);
      return rule === undefined ? [] : [{ keyword, rule, before: earlier, after: later }];
    }),
  ];
}

function takesNoFractions({ types }: Bounded): boolean {
  return types !== undefined && !types.has('fraction');
}

// Every whole number is a multiple of one, of a half, and so on.
function ofWholeNumbers(limits: Limits): Limits {
  const step = limits.get('multipleOf');
  if (typeof step !== 'number' || !isWholeRatio(1, step)) return limits;
  return new Map([...limits].filter(([keyword]) => keyword !== 'multipleOf'));
}

function isNumericBound(keyword: string): boolean {
  return /^(?:exclusiveM|m)(?:inimum|aximum)$/.test(keyword);
}

/** One end of a range: what the document says, and how far it reaches, upwards, the other end mirrored. */
type Bound = { readonly value: number; readonly keyword: string; readonly reach: number; readonly isOpen: boolean };

/** The stricter of the two words for one end. Between whole numbers, an open end is a closed one a step further. */
function boundOf(side: 'minimum' | 'maximum', limits: Limits, isWhole: boolean): Bound | undefined {
  const sign = side === 'minimum' ? 1 : -1;
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const bounds = [exclusive, side].flatMap((keyword): Bound[] => {
    const value = limits.get(keyword);
    if (typeof value !== 'number') return [];
    const isOpen = keyword !== side;
    if (!isWhole) return [{ value, keyword, reach: sign * value, isOpen }];
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
): RuleId | undefined {
  if (sameJson(before, after)) return undefined;
  if (keyword === 'pattern' || keyword === 'format') return `${keyword}-${presence(before, after)}`;
  if (keyword === 'uniqueItems') return after === undefined ? 'uniqueness-removed' : 'uniqueness-added';
  if (before === undefined) return 'bound-tightened';
  if (after === undefined) return 'bound-loosened';
  if (typeof before !== 'number' || typeof after !== 'number') return 'bound-changed';
  if (keyword === 'multipleOf') return compareMultiples(before, after);
  return lower.has(keyword) === after > before ? 'bound-tightened' : 'bound-loosened';
}

function compareMultiples(before: number, after: number): RuleId {
  if (isWholeRatio(after, before)) return 'bound-tightened';
  return isWholeRatio(before, after) ? 'bound-loosened' : 'bound-changed';
}

// Decimal steps are not exact as numbers: 0.3 divided by 0.1 is a little less than three.
function isWholeRatio(large: number, small: number): boolean {
  const ratio = large / small;
  return Math.round(ratio) >= 1 && Math.abs(ratio - Math.round(ratio)) < 1e-9 * ratio;
}

function presence(before: JsonValue | undefined, after: JsonValue | undefined): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}
