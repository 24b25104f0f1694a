import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import {
  type Compared,
  compareAnnotations,
  compareOpaque,
  compareOrigins,
  findPointer,
  type Pair,
} from './compare-annotations.ts';
import { compareContainers } from './compare-containers.ts';
import { compareLimits, compareListed, type Found } from './compare-scalars.ts';
import { describeSchema } from './describe-schema.ts';
import { followReference, identify, type Place, rawSchema } from './located-schema.ts';
import {
  classify,
  type Direction,
  type Evidence,
  hasEffect,
  type SchemaChange,
  withoutRepetition,
} from './schema-change.ts';
import { type Shape, type ShapeType, shapeTypes } from './shape.ts';
import { createShapeReader, type ReadShapes } from './shapes.ts';
import { createSubsumption, type IsSubset } from './subsumption.ts';
import { OutOfWork, spend, type Work } from './work.ts';

/** What schemas of a model or an API are compared with, and remembered by. */
export type Comparison = {
  readonly work: Work;
  readonly isSubset: IsSubset;
  readonly shapesOf: ReadShapes;
  /** Whether the compiler says what becomes of code. */
  readonly isCompiled: boolean;
};

const stepsAtMost = 200_000;

export function createComparison(
  older: JsonObject,
  isCompiled: boolean,
  work: Work = { left: stepsAtMost },
): Comparison {
  const isSubset = createSubsumption(work, listMemberNames(older));
  return { work, isSubset, shapesOf: createShapeReader(work, true), isCompiled };
}

function listMemberNames(document: JsonObject): Set<string> {
  const names = new Set<string>();
  const pending: JsonValue[] = [document];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isJsonObject(next) && isJsonObject(next['properties']))
      for (const name of Object.keys(next['properties'])) names.add(name);
    if (typeof next === 'object' && next !== null) pending.push(...Object.values(next));
  }
  return names;
}

type Item = Pair & {
  readonly parent: Item | undefined;
  /** Whether values went or came here, as far as this matters for the whole. */
  readonly isNarrower: boolean;
  readonly isWider: boolean;
  /** Whether a change says so. */
  isExplained: boolean;
};

/** What changed in schemas for those who send (`input`) or read (`output`) values of them. */
export function compareSchemas(old: Place, now: Place, direction: Direction, comparison: Comparison): SchemaChange[] {
  const walk: Walk = { direction, comparison, items: [], changes: [] };
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? '';
  try {
    visitPairs({ old, now, field: '' }, walk);
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    walk.changes.push(classify('schema-uncompared', direction, { pointer }));
  }
  // What is inside comes later in the list: the innermost place that nothing explains gets a change of its own.
  const rule = direction === 'input' ? 'values-refused' : 'values-added';
  for (const item of walk.items.toReversed()) {
    if (isBroken(item, direction) && !item.isExplained)
      report(item, { rule, pointer: item.now[0]?.pointer ?? pointer }, walk);
    if (item.isExplained && item.parent !== undefined) item.parent.isExplained = true;
  }
  return withoutRepetition(walk.changes);
}

type Walk = {
  readonly direction: Direction;
  readonly comparison: Comparison;
  readonly items: Item[];
  readonly changes: SchemaChange[];
};

function isBroken({ isNarrower, isWider }: Item, direction: Direction): boolean {
  return direction === 'input' ? isNarrower : isWider;
}

function report(item: Item, { rule, isIdle = false, ...facts }: Found, { direction, comparison, changes }: Walk): void {
  const [isNarrower, isWider] = [item.isNarrower && !isIdle, item.isWider && !isIdle];
  const evidence: Evidence = { isNarrower, isWider, isCompiled: comparison.isCompiled };
  if (!hasEffect(rule, evidence)) return;
  const change = classify(rule, direction, { ...facts, field: facts.field ?? item.field }, evidence);
  if (change.verdict === 'breaking') item.isExplained = true;
  changes.push(change);
}

function visitPairs(root: Pair, walk: Walk): void {
  const { direction, comparison, items } = walk;
  const seen = new Set<string>();
  const pending: { pair: Pair; parent: Item | undefined }[] = [{ pair: root, parent: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pair, parent } = next;
    const item = createItem(pair, parent, comparison);
    for (const one of compareAnnotations(pair.old, pair.now)) report(item, one, walk);
    const key = `${identify(pair.old)} to ${identify(pair.now)} ${item.isNarrower} ${item.isWider}`;
    if (seen.has(key)) {
      // It is explained where it was met first.
      if (parent !== undefined && isBroken(item, direction)) parent.isExplained = true;
      continue;
    }
    seen.add(key);
    items.push(item);
    const { found, inner } = comparePlaces(item, comparison);
    for (const one of found) report(item, one, walk);
    for (const one of inner.toReversed()) pending.push({ pair: one, parent: item });
  }
}

function createItem(pair: Pair, parent: Item | undefined, { work, isSubset }: Comparison): Item {
  spend(work);
  const isNarrower = (parent?.isNarrower ?? true) && !isSubset(pair.old, pair.now);
  const isWider = (parent?.isWider ?? true) && !isSubset(pair.now, pair.old);
  return { ...pair, parent, isNarrower, isWider, isExplained: false };
}

function comparePlaces(pair: Item, { shapesOf }: Comparison): Compared {
  const readShapes = (place: Place): ShapesByType => new Map(shapeTypes.map((type) => [type, shapesOf(place, type)]));
  const [old, now] = [readShapes(pair.old), readShapes(pair.now)];
  const pointer = pair.now[0]?.pointer ?? pair.old[0]?.pointer ?? '';
  const [wasClosed, isClosed] = [old, now].map((shapes) => [...shapes.values()].every(({ length }) => length === 0));
  if (wasClosed || isClosed) {
    const rule = isClosed ? 'schema-closed' : 'schema-opened';
    return { found: wasClosed && isClosed ? [] : [{ rule, pointer }], inner: [] };
  }
  const compared = shapeTypes.map((type) => {
    const both = { old: old.get(type) ?? [], now: now.get(type) ?? [], pointer };
    return type === 'null' ? { found: [], inner: [] } : compareType(pair, both, isListed(old) && isListed(now));
  });
  return {
    found: [...compareTypes(pair, old, now), ...compared.flatMap(({ found }) => found)],
    inner: compared.flatMap(({ inner }) => inner),
  };
}

function isListed(shapes: ShapesByType): boolean {
  return [...shapes].every(([type, found]) => type === 'null' || found.every(({ values }) => values !== undefined));
}

type ShapesByType = ReadonlyMap<ShapeType, readonly Shape[]>;

function compareTypes(pair: Pair, old: ShapesByType, now: ShapesByType): Found[] {
  const takesAny = (shapes: ShapesByType): boolean => [...shapes.values()].every(({ length }) => length > 0);
  const [hadNull, hasNull] = [old, now].map((shapes) => (shapes.get('null') ?? []).length > 0);
  const found: Found[] = [];
  const pointer = pair.now[0]?.pointer ?? '';
  // Where one side takes any value, the change of types includes that of null.
  if (hadNull !== hasNull && !takesAny(old) && !takesAny(now))
    found.push({ rule: hasNull ? 'null-added' : 'null-removed', pointer });
  const [before, after] = [nameTypes(old), nameTypes(now)];
  const [lost, came] = [[...before].filter((one) => !after.has(one)), [...after].filter((one) => !before.has(one))];
  // Between two lists of values, the changed ones are reported instead.
  if ((lost.length === 0 && came.length === 0) || (isListed(old) && isListed(now))) return found;
  const rule = lost.length === 0 ? 'type-widened' : came.length === 0 ? 'type-narrowed' : 'type-changed';
  return [...found, { rule, pointer: findPointer(pair, 'type', 'enum'), ...describeBoth(pair.old, pair.now) }];
}

/** A number may be an integer alone, so that sets of types can be compared. */
function nameTypes(shapes: ShapesByType): Set<string> {
  const names = [...shapes].flatMap(([type, found]) => {
    if (found.length === 0 || type === 'null') return [];
    const isWhole = ({ isInteger, values }: Shape): boolean => isInteger || (values?.every(Number.isInteger) ?? false);
    return type !== 'number' ? [type] : found.every(isWhole) ? ['integer'] : ['integer', 'fraction'];
  });
  return new Set(names);
}

/** Both schemas in words; what names lead to, where the names are the same. */
function describeBoth(old: Place, now: Place): { before: string; after: string } {
  const describe = (place: Place): string => {
    const typed = place.find(({ schema }) =>
      Object.keys(schema).some((word) => /^(?:ref|type|enum|..?.?Of)$/.test(word)),
    );
    return describeSchema((typed && rawSchema(typed)) ?? true);
  };
  const [before, after] = [describe(old), describe(now)];
  const [targets, others] = [old, now].map((place) => place.map((one) => followReference(one) ?? one));
  const isDeeper = before === after && targets?.some((one, index) => one !== old[index]);
  return isDeeper && targets !== undefined && others !== undefined ? describeBoth(targets, others) : { before, after };
}

type Both = { readonly old: readonly Shape[]; readonly now: readonly Shape[]; readonly pointer: string };

function compareType(pair: Item, { old, now, pointer }: Both, areListed: boolean): Compared {
  const [type] = [...old, ...now].map((shape) => shape.type);
  if (type === undefined || (!areListed && (old.length === 0 || now.length === 0))) return { found: [], inner: [] };
  if (!areListed && (type === 'object' || type === 'array')) return compareContainers(pair, { old, now, pointer });
  const listed = compareListed(old, now, findPointer(pair, 'enum'));
  const [before, after] = [old, now].map((shapes) => shapes.filter(({ values }) => values === undefined));
  if (before?.length !== after?.length) return { found: listed, inner: [] };
  const pairs = before?.map((shape, index) => [shape, after?.[index] ?? shape] as const) ?? [];
  const found = pairs.flatMap(([one, other]) => [
    ...compareLimits(one, other, pointer),
    ...compareOpaque(one, other),
    ...compareOrigins(one, other),
  ]);
  return { found: [...listed, ...found], inner: [] };
}
