import { canonicalText, type JsonValue } from '../../../specs/src/index.ts';
import { includesPattern } from './patterns.ts';
import type { Shape } from './shape.ts';
import { type Bound, isMultiple, isWithin, listPatterns, listSteps, readBound, readSizes } from './shape-reads.ts';

const rangeAtMost = 50;

/** The values of a shape that has few. */
export function listValues(shape: Shape): readonly JsonValue[] | undefined {
  if (shape.values !== undefined) return shape.values.filter((value) => isWithin(value, shape));
  if (!shape.isInteger) return undefined;
  const [least, most] = [readBound(shape, 'minimum', true), readBound(shape, 'maximum', true)];
  if (least === undefined || most === undefined || -most.reach - least.reach > rangeAtMost) return undefined;
  const count = Math.max(0, -most.reach - least.reach + 1);
  return Array.from({ length: count }, (_, index) => least.reach + index).filter((value) => isWithin(value, shape));
}

export function isListed({ values }: Shape, listed: readonly JsonValue[]): boolean {
  const texts = new Set(listed.map(canonicalText));
  return values?.every((value) => texts.has(canonicalText(value))) ?? false;
}

export function fitsBounds(shape: Shape, other: Shape): boolean {
  if (shape.type === 'number') return fitsNumbers(shape, other);
  const [own, theirs] = [readSizes(shape), readSizes(other)];
  if (own.least < theirs.least || own.most > theirs.most) return false;
  if (shape.type === 'array') return !isUnique(other) || isUnique(shape) || own.most <= 1;
  const patterns = listPatterns(shape);
  return listPatterns(other).every((wide) => patterns.some((narrow) => includesPattern(wide, narrow)));
}

function isUnique({ limits }: Shape): boolean {
  return [...limits.values()].some(({ keyword }) => keyword === 'uniqueItems');
}

function fitsNumbers(shape: Shape, other: Shape): boolean {
  const steps = listSteps(shape);
  const isInteger = shape.isInteger || steps.some(Number.isInteger);
  if (other.isInteger && !isInteger) return false;
  const isStricter = (end: 'minimum' | 'maximum'): boolean =>
    reachesAsFar(readBound(shape, end, isInteger), readBound(other, end, isInteger));
  if (!isStricter('minimum') || !isStricter('maximum')) return false;
  return listSteps(other).every(
    (wide) => (isInteger && isMultiple(1, wide)) || steps.some((narrow) => isMultiple(narrow, wide)),
  );
}

function reachesAsFar(own: Bound | undefined, theirs: Bound | undefined): boolean {
  if (theirs === undefined) return true;
  if (own === undefined) return false;
  return own.reach > theirs.reach || (own.reach === theirs.reach && (own.isOpen || !theirs.isOpen));
}

export function areSizesApart(shape: Shape, other: Shape): boolean {
  if (shape.type !== 'number') return readSizes(shape).least > readSizes(other).most;
  const [least, most] = [readBound(shape, 'minimum', false), readBound(other, 'maximum', false)];
  return least !== undefined && most !== undefined && least.reach > -most.reach;
}

export function listMemberPatterns({ members }: Shape): string[] {
  return members.flatMap((rule) => {
    if (rule.kind === 'property') return [];
    return rule.kind === 'pattern' ? [rule.pattern] : rule.patterns;
  });
}

/** Each set of patterns that a name may match, and it no other one. */
export function listCombinations(patterns: readonly string[]): string[][] {
  let all: string[][] = [[]];
  for (const one of patterns) all = all.concat(all.map((set) => [...set, one]));
  return all.filter((set) => {
    const others = patterns.filter((one) => !set.includes(one));
    return set.every((one) => others.every((other) => !includesPattern(other, one))) && !others.includes('');
  });
}
