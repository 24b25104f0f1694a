import { canonicalText, type JsonValue, limitKeywords } from '../../../specs/src/index.ts';
import { isClosed } from './located-schema.ts';
import { includesPattern, matches } from './patterns.ts';
import { countListed, itemPlace, memberPlace, otherMembers, readLimits, readMembers, type Shape } from './shape.ts';

const rangeAtMost = 50;

/** The values of a shape that has few. */
export function listValues(shape: Shape): readonly JsonValue[] | undefined {
  if (shape.values !== undefined) return shape.values.filter((value) => isWithin(value, shape));
  if (shape.type === 'null') return [null];
  if (!isInteger(shape)) return undefined;
  const [[least], [most]] = [readEnd(shape, 'minimum'), readEnd(shape, 'maximum')];
  const count = Math.max(0, -most - least + 1);
  if (count > rangeAtMost) return undefined;
  return Array.from({ length: count }, (_, index) => least + index).filter((value) => isWithin(value, shape));
}

const textsOf = new WeakMap<readonly JsonValue[], ReadonlySet<string>>();

export function isListed({ values }: Shape, listed: readonly JsonValue[]): boolean {
  const texts = textsOf.get(listed) ?? new Set(listed.map(canonicalText));
  textsOf.set(listed, texts);
  return values?.every((value) => texts.has(canonicalText(value))) ?? false;
}

export function isInteger({ type, schemas }: Shape): boolean {
  return type === 'number' && schemas.some(({ schema }) => schema.type?.includes('number') === false);
}

/** The strictest of a bound; without one, what bounds nothing. */
function readBound(shape: Shape, keyword: string): number {
  const bounds = readLimits(shape, keyword).map(Number);
  return limitKeywords.get(keyword)?.end === 'least' ? Math.max(...bounds) : Math.min(...bounds);
}

type End = readonly [reach: number, isOpen: boolean];

/** An end of the numbers that a shape accepts; `reach` grows as they become fewer. Integers begin at the next one. */
function readEnd(shape: Shape, end: 'minimum' | 'maximum', isWhole = isInteger(shape)): End {
  const [sign, exclusive] = end === 'minimum' ? [1, 'exclusiveMinimum'] : [-1, 'exclusiveMaximum'];
  const [reach, open] = [sign * readBound(shape, end), sign * readBound(shape, exclusive)];
  if (isWhole) return [Math.max(Math.ceil(reach), Math.floor(open) + 1), false];
  return open >= reach ? [open, Number.isFinite(open)] : [reach, false];
}

/** The sizes that a text, list or object may have. */
export function readSizes(shape: Shape): { readonly least: number; readonly most: number } {
  const unit = { string: 'Length', array: 'Items', object: 'Properties' }[String(shape.type)] ?? '';
  const least = Math.max(
    readBound(shape, `min${unit}`),
    shape.type === 'object' ? readMembers(shape).required.size : 0,
  );
  const most = readBound(shape, `max${unit}`);
  if (shape.type === 'array') {
    const indexes = Array.from({ length: countListed(shape) + 1 }, (_, index) => index);
    return { least, most: Math.min(most, indexes.find((index) => isClosed(itemPlace(shape, index))) ?? most) };
  }
  if (shape.type !== 'object' || !isClosed(otherMembers(shape)) || readMembers(shape).patterns.length > 0)
    return { least, most };
  const open = [...readMembers(shape).names].filter((name) => !isClosed(memberPlace(shape, name)));
  return { least, most: Math.min(most, open.length) };
}

/** Whether a shape accepts no value, as far as it says so itself. */
export function isEmpty(shape: Shape): boolean {
  if (shape.values !== undefined) return !shape.values.some((value) => isWithin(value, shape));
  if (shape.type === 'number') return readEnd(shape, 'minimum')[0] > -readEnd(shape, 'maximum')[0];
  const { least, most } = readSizes(shape);
  return (
    least > most ||
    (shape.type === 'object' && [...readMembers(shape).required].some((name) => isClosed(memberPlace(shape, name))))
  );
}

/** Whether a value keeps the bounds of a shape; what is inside it is not looked at. */
export function isWithin(value: JsonValue, shape: Shape): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return isNumberWithin(value, shape);
  const { least, most } = readSizes(shape);
  const size = typeof value === 'string' ? [...value].length : Object.keys(value).length;
  if (size < least || size > most) return false;
  return typeof value !== 'string' || readLimits(shape, 'pattern').every((pattern) => matches(String(pattern), value));
}

function isNumberWithin(value: number, shape: Shape): boolean {
  if (isInteger(shape) && !Number.isInteger(value)) return false;
  const keeps = ([reach, isOpen]: End, own: number): boolean => (isOpen ? own > reach : own >= reach);
  if (!keeps(readEnd(shape, 'minimum', false), value) || !keeps(readEnd(shape, 'maximum', false), -value)) return false;
  return readLimits(shape, 'multipleOf').every((step) => value === 0 || isMultiple(Math.abs(value), Number(step)));
}

/** Whether all values of a shape keep the bounds of another one. */
export function fitsBounds(shape: Shape, other: Shape): boolean {
  if (shape.type === 'number') return fitsNumbers(shape, other);
  const [own, theirs] = [readSizes(shape), readSizes(other)];
  const patterns = ['', ...readLimits(shape, 'pattern').map(String)];
  const hasPattern = (wide: string): boolean =>
    shape.type === 'string' && patterns.some((narrow) => includesPattern(wide, narrow));
  // A pattern may bound the length too.
  if (own.least < theirs.least && !hasPattern(`^[^]{${theirs.least}}`)) return false;
  if (own.most > theirs.most && !hasPattern(`^[^]{0,${theirs.most}}$`)) return false;
  const isUnique = (one: Shape): boolean => readLimits(one, 'uniqueItems').includes(true);
  if (shape.type === 'array') return !isUnique(other) || isUnique(shape) || own.most <= 1;
  return shape.type !== 'string' || readLimits(other, 'pattern').every((wide) => hasPattern(String(wide)));
}

function fitsNumbers(shape: Shape, other: Shape): boolean {
  const [steps, others] = [shape, other].map((one) => readLimits(one, 'multipleOf').map(Number));
  const isWhole = isInteger(shape) || steps?.some(Number.isInteger) === true;
  if (isInteger(other) && !isWhole) return false;
  const reaches = (['minimum', 'maximum'] as const).every((end) => {
    const [[own, isOpen], [theirs, isOpener]] = [readEnd(shape, end, isWhole), readEnd(other, end, isWhole)];
    return own > theirs || (own === theirs && (isOpen || !isOpener));
  });
  const keepsStep = (wide: number): boolean =>
    (isWhole && isMultiple(1, wide)) || steps?.some((narrow) => isMultiple(narrow, wide)) === true;
  return reaches && others?.every(keepsStep) === true;
}

/** Whether no size or number is in the bounds of both. */
export function areBoundsApart(shape: Shape, other: Shape): boolean {
  if (shape.type !== 'number') return readSizes(shape).least > readSizes(other).most;
  return readEnd(shape, 'minimum', false)[0] > -readEnd(other, 'maximum', false)[0];
}

// Floating point is inexact: 0.3 / 0.1 is a little less than 3.
export function isMultiple(large: number, small: number): boolean {
  const ratio = large / small;
  return Math.round(ratio) >= 1 && Math.abs(ratio - Math.round(ratio)) < 1e-9 * ratio;
}
