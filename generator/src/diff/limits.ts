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

export function compareLimits(before: Limits, after: Limits): LimitChange[] {
  const others = [...new Set([...before.keys(), ...after.keys()])].filter((keyword) => !isNumericBound(keyword)).sort();
  return [
    ...compareBounds('minimum', before, after),
    ...compareBounds('maximum', before, after),
    ...others.flatMap((keyword): LimitChange[] => {
      const [old, now] = [before.get(keyword), after.get(keyword)];
      const rule = compareLimit(keyword, old, now);
      return rule === undefined ? [] : [{ keyword, rule, before: old, after: now }];
    }),
  ];
}

function isNumericBound(keyword: string): boolean {
  return /^(?:exclusiveM|m)(?:inimum|aximum)$/.test(keyword);
}

/** The stricter of the two words for one end, and which of them it is. */
function boundOf(side: 'minimum' | 'maximum', limits: Limits): { value: number; keyword: string } | undefined {
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const [open, closed] = [limits.get(exclusive), limits.get(side)];
  if (typeof open !== 'number') return typeof closed === 'number' ? { value: closed, keyword: side } : undefined;
  if (typeof closed !== 'number') return { value: open, keyword: exclusive };
  const isOpenStricter = side === 'minimum' ? open >= closed : open <= closed;
  return isOpenStricter ? { value: open, keyword: exclusive } : { value: closed, keyword: side };
}

function compareBounds(side: 'minimum' | 'maximum', before: Limits, after: Limits): LimitChange[] {
  const [old, now] = [boundOf(side, before), boundOf(side, after)];
  if (old?.value === now?.value && old?.keyword === now?.keyword) return [];
  const facts = { keyword: now?.keyword ?? old?.keyword ?? side, before: old?.value, after: now?.value };
  if (old === undefined || now === undefined) {
    return [{ ...facts, rule: old === undefined ? 'bound-tightened' : 'bound-loosened' }];
  }
  const isTighter =
    old.value === now.value ? now.keyword !== side : side === 'minimum' ? now.value > old.value : now.value < old.value;
  return [{ ...facts, rule: isTighter ? 'bound-tightened' : 'bound-loosened' }];
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
  if (Number.isInteger(after / before)) return 'bound-tightened';
  return Number.isInteger(before / after) ? 'bound-loosened' : 'bound-changed';
}

function presence(before: JsonValue | undefined, after: JsonValue | undefined): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}
