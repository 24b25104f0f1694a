import { isNothing, type JsonValue } from '../../../specs/src/index.ts';
import { isClosed, type Place } from './located-schema.ts';
import { matches } from './patterns.ts';
import type { MemberRule, Shape } from './shape.ts';

/** The schemas that apply to the member of a name. */
export function memberPlace({ members }: Shape, name: string): Place {
  return members.flatMap((rule) => {
    const applies =
      rule.kind === 'property'
        ? rule.name === name
        : rule.kind === 'pattern'
          ? matches(rule.pattern, name)
          : !rule.names.has(name) && !rule.patterns.some((pattern) => matches(pattern, name));
    return applies ? [rule.schema] : [];
  });
}

/** The schemas that apply to members whose names nothing lists and only these patterns match. */
export function otherMembers({ members }: Shape, patterns: readonly string[] = []): Place {
  return members.flatMap((rule) => {
    if (rule.kind === 'pattern') return patterns.includes(rule.pattern) ? [rule.schema] : [];
    return rule.kind === 'rest' && !rule.patterns.some((one) => one === '' || patterns.includes(one))
      ? [rule.schema]
      : [];
  });
}

/** The names that a shape's schemas list. */
export function listNames({ members }: Shape): string[] {
  return members.flatMap((rule) =>
    rule.kind === 'property' ? [rule.name] : rule.kind === 'rest' ? [...rule.names] : [],
  );
}

export function itemPlace({ items }: Shape, index: number): Place {
  return items.filter(({ from, isRest }) => from === index || (isRest && from < index)).map(({ schema }) => schema);
}

function readLimit({ limits }: Shape, keyword: string): number | undefined {
  const value = limits.get(keyword)?.value;
  return typeof value === 'number' ? value : undefined;
}

/** The sizes that a text, list or object may have. */
export function readSizes(shape: Shape): { readonly least: number; readonly most: number } {
  const unit = { string: 'Length', array: 'Items', object: 'Properties' }[String(shape.type)] ?? '';
  const least = Math.max(readLimit(shape, `min${unit}`) ?? 0, shape.required.size);
  const most = readLimit(shape, `max${unit}`) ?? Number.POSITIVE_INFINITY;
  if (shape.type === 'object') {
    const isFull = (rule: MemberRule) =>
      rule.kind === 'rest' && rule.patterns.length === 0 && isNothing(rule.schema.schema);
    const counts = shape.members
      .filter(isFull)
      .map(() => new Set(listNames(shape).filter((name) => !isClosed(memberPlace(shape, name)))).size);
    return { least, most: Math.min(most, ...counts) };
  }
  if (shape.type !== 'array') return { least, most };
  const closed = Array.from({ length: countListed(shape) + 1 }, (_, index) => index);
  return { least, most: Math.min(most, closed.find((index) => isClosed(itemPlace(shape, index))) ?? most) };
}

/** How many first items have a schema of their own. */
export function countListed({ items }: Shape): number {
  return Math.max(0, ...items.map(({ from, isRest }) => (isRest ? from : from + 1)));
}

/** One end of the numbers that a shape accepts; `reach` grows as they become fewer. */
export type Bound = {
  readonly reach: number;
  readonly isOpen: boolean;
  readonly keyword: string;
  readonly value: number;
};

/** For integers, an exclusive bound is the next integer, inclusive. */
export function readBound(shape: Shape, end: 'minimum' | 'maximum', isInteger: boolean): Bound | undefined {
  const [sign, exclusive] = end === 'minimum' ? [1, 'exclusiveMinimum'] : [-1, 'exclusiveMaximum'];
  const bounds = [exclusive, end].flatMap((keyword): Bound[] => {
    const value = readLimit(shape, keyword);
    if (value === undefined) return [];
    const isOpen = keyword !== end;
    if (!isInteger) return [{ value, keyword, reach: sign * value, isOpen }];
    const reach = isOpen ? Math.floor(sign * value) + 1 : Math.ceil(sign * value);
    return [{ value, keyword, reach, isOpen: false }];
  });
  return bounds.sort((left, right) => right.reach - left.reach || Number(right.isOpen) - Number(left.isOpen))[0];
}

/** Whether a shape accepts no value, as far as it says so itself. */
export function isEmpty(shape: Shape): boolean {
  if (shape.values !== undefined) return !shape.values.some((value) => isWithin(value, shape));
  const { least, most } = readSizes(shape);
  if (least > most) return true;
  const [lower, upper] = [readBound(shape, 'minimum', shape.isInteger), readBound(shape, 'maximum', shape.isInteger)];
  if (lower !== undefined && upper !== undefined && lower.reach > -upper.reach) return true;
  return [...shape.required.keys()].some((name) => isClosed(memberPlace(shape, name)));
}

/** Whether a value keeps the bounds of a shape; what is inside it is not looked at. */
export function isWithin(value: JsonValue, shape: Shape): boolean {
  if (typeof value === 'number') return isNumberWithin(value, shape);
  const { least, most } = readSizes(shape);
  const size = typeof value === 'string' ? [...value].length : Object.keys(value ?? {}).length;
  if (value !== null && typeof value !== 'boolean' && (size < least || size > most)) return false;
  return typeof value !== 'string' || listPatterns(shape).every((pattern) => matches(pattern, value));
}

function isNumberWithin(value: number, shape: Shape): boolean {
  if (shape.isInteger && !Number.isInteger(value)) return false;
  const [lower, upper] = [readBound(shape, 'minimum', false), readBound(shape, 'maximum', false)];
  const isBeyond = (bound: Bound | undefined, reach: number): boolean =>
    bound !== undefined && (bound.isOpen ? reach <= bound.reach : reach < bound.reach);
  if (isBeyond(lower, value) || isBeyond(upper, -value)) return false;
  return listSteps(shape).every((step) => value === 0 || isMultiple(Math.abs(value), step));
}

export function listPatterns({ limits }: Shape): string[] {
  return [...limits.values()].flatMap(({ keyword, value }) => (keyword === 'pattern' ? [String(value)] : []));
}

export function listSteps({ limits }: Shape): number[] {
  return [...limits.values()].flatMap(({ keyword, value }) => (keyword === 'multipleOf' ? [Number(value)] : []));
}

// Floating point is inexact: 0.3 / 0.1 is a little less than 3.
export function isMultiple(large: number, small: number): boolean {
  const ratio = large / small;
  return Math.round(ratio) >= 1 && Math.abs(ratio - Math.round(ratio)) < 1e-9 * ratio;
}
