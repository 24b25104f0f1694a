import { canonicalText, type JsonValue, limitKeywords, readFormat } from '../../../specs/src/index.ts';
import { type ChangeFacts, type ChangeRuleId, sameJson } from './schema-change.ts';
import type { Keyword, Shape } from './shape.ts';
import { type Bound, isMultiple, readBound } from './shape-reads.ts';

/** `isIdle` says that no value comes or goes by the change. */
export type Found = { readonly rule: ChangeRuleId; readonly isIdle?: boolean } & ChangeFacts;

/** What changed in listed values: those of all shapes of a type, which may also accept others. */
export function compareListed(old: readonly Shape[], now: readonly Shape[], pointer: string): Found[] {
  const [before, after] = [listValues(old), listValues(now)];
  const [wasOpen, isOpen] = [old, now].map((shapes) => shapes.some(({ values }) => values === undefined));
  if (before.size === 0 && after.size === 0) return [];
  const limited = (values: ReadonlyMap<string, JsonValue>): JsonValue => [...values.values()];
  if (wasOpen && before.size === 0) return isOpen ? [] : [{ rule: 'enum-added', pointer, after: limited(after) }];
  if (isOpen && after.size === 0) return wasOpen ? [] : [{ rule: 'enum-removed', pointer, before: limited(before) }];
  const changes = [
    ...differing(before, after).map((value) => toFound('enum-value-removed', { pointer, before: value })),
    ...differing(after, before).map((value) => toFound('enum-value-added', { pointer, after: value })),
  ];
  if (wasOpen === isOpen) return changes;
  return [...changes, { rule: wasOpen ? 'enum-added' : 'enum-removed', pointer }];
}

function toFound(rule: ChangeRuleId, facts: ChangeFacts): Found {
  return { rule, ...facts, subject: JSON.stringify(facts.before ?? facts.after) };
}

function listValues(shapes: readonly Shape[]): Map<string, JsonValue> {
  const values = shapes.flatMap((shape) =>
    shape.type === 'boolean' && shape.values?.length === 2 ? [] : (shape.values ?? []),
  );
  return new Map(values.map((value) => [canonicalText(value), value]));
}

function differing(one: ReadonlyMap<string, JsonValue>, other: ReadonlyMap<string, JsonValue>): JsonValue[] {
  return [...one].filter(([text]) => !other.has(text)).map(([, value]) => value);
}

/** What changed in bounds, patterns, steps and formats. */
export function compareLimits(old: Shape, now: Shape, at: string): Found[] {
  const isInteger = old.isInteger && now.isInteger;
  const ends = old.type === 'number' ? (['minimum', 'maximum'] as const) : [];
  const bounds = ends.flatMap((end) =>
    compareBounds(readBound(old, end, isInteger), readBound(now, end, isInteger), { now, old, at }),
  );
  const keywords = new Set([old, now].flatMap(({ limits }) => [...limits.values()].map(({ keyword }) => keyword)));
  const others = [...keywords].filter(
    (keyword) => old.type !== 'number' || limitKeywords.get(keyword)?.end === undefined,
  );
  return [
    ...bounds,
    ...others.sort().flatMap((keyword) => {
      const [before, after] = [old, now].map(({ limits }) =>
        [...limits.values()].filter((one) => one.keyword === keyword),
      );
      return compareKeyword(keyword, before ?? [], after ?? [], isInteger);
    }),
  ];
}

function compareBounds(
  before: Bound | undefined,
  after: Bound | undefined,
  { old, now, at }: { old: Shape; now: Shape; at: string },
): Found[] {
  const keyword = after?.keyword ?? before?.keyword;
  if (keyword === undefined || (before?.reach === after?.reach && before?.isOpen === after?.isOpen)) return [];
  const isTighter =
    before === undefined ||
    (after !== undefined && (after.reach > before.reach || (after.reach === before.reach && after.isOpen)));
  const pointer = (now.limits.get(keyword) ?? old.limits.get(keyword))?.pointer ?? at;
  const rule = isTighter ? 'bound-tightened' : 'bound-loosened';
  const facts = { before: printBound(before), after: printBound(after), subject: keyword };
  return [{ rule, pointer: `${pointer}/${keyword}`, ...facts }];
}

function printBound(bound: Bound | undefined): JsonValue | undefined {
  if (bound === undefined || !bound.keyword.startsWith('exclusive')) return bound?.value;
  return `${bound.value} (exclusive)`;
}

function compareKeyword(
  keyword: string,
  before: readonly Keyword[],
  after: readonly Keyword[],
  isInteger: boolean,
): Found[] {
  const [old, now] = [before, after].map((list) => list.map(({ value }) => value));
  if (old === undefined || now === undefined || sameJson([...old], [...now])) return [];
  const rule = pickRule(keyword, old, now, isInteger);
  const toValue = (values: readonly JsonValue[]): JsonValue | undefined =>
    values.length > 1 ? [...values] : values[0];
  const pointer = (after[0] ?? before[0])?.pointer ?? '';
  if (rule === undefined) return [];
  return [{ rule, pointer: `${pointer}/${keyword}`, subject: keyword, before: toValue(old), after: toValue(now) }];
}

function pickRule(
  keyword: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  isInteger: boolean,
): ChangeRuleId | undefined {
  const lost = before.filter((value) => !after.includes(value));
  const came = after.filter((value) => !before.includes(value));
  if (lost.length === 0 && came.length === 0) return undefined;
  switch (keyword) {
    case 'format':
      return [...lost, ...came].some((format) => readFormat(format).hasCheck) ? 'format-changed' : 'format-noted';
    case 'pattern':
      return `pattern-${readTurn(lost, came)}`;
    case 'uniqueItems':
      return came.length > 0 ? 'uniqueness-added' : 'uniqueness-removed';
    case 'multipleOf':
      return compareSteps(lost.map(Number), came.map(Number), isInteger);
  }
  const isHigher = readTurn(lost, came) === 'changed' ? Number(came[0]) > Number(lost[0]) : undefined;
  if (isHigher === undefined) return lost.length === 0 ? 'bound-tightened' : 'bound-loosened';
  return (limitKeywords.get(keyword)?.end === 'least') === isHigher ? 'bound-tightened' : 'bound-loosened';
}

function readTurn(lost: readonly unknown[], came: readonly unknown[]): 'added' | 'removed' | 'changed' {
  if (lost.length === 0) return 'added';
  return came.length === 0 ? 'removed' : 'changed';
}

function compareSteps(lost: readonly number[], came: readonly number[], isInteger: boolean): ChangeRuleId | undefined {
  const isIdle = (step: number): boolean => isInteger && isMultiple(1, step);
  const [old, now] = [lost.filter((step) => !isIdle(step)), came.filter((step) => !isIdle(step))];
  if (old.length === 0 && now.length === 0) return undefined;
  const covers = (some: readonly number[], steps: readonly number[]): boolean =>
    steps.every((step) => some.some((one) => isMultiple(one, step)));
  if (covers(now, old)) return 'bound-tightened';
  return covers(old, now) ? 'bound-loosened' : 'bound-changed';
}
