import { type JsonObject, OutOfWork, spend, type Work } from '../../../specs/src/index.ts';
import { compareKeywords, comparePlaces, type Found, type Pair } from './compare-shapes.ts';
import { identify, listMembers, type Place } from './documents.ts';
import {
  classify,
  type Direction,
  type Evidence,
  hasEffect,
  type SchemaChange,
  withoutRepetition,
} from './schema-change.ts';
import { createShapeReader } from './shapes.ts';
import { createSubsumption } from './subsumption.ts';

const stepsAtMost = 200_000;

/** What schemas of a model or an API are compared with, and remembered by; `isCompiled` where the compiler says what becomes of code. */
export function createComparison(older: JsonObject, isCompiled: boolean, limits: Partial<Work> = {}) {
  const work = { left: stepsAtMost, ...limits };
  const isSubset = createSubsumption(work, new Set(listMembers(older).map(([name]) => name)));
  return { work, isSubset, shapesOf: createShapeReader(work, true), isCompiled };
}
export type Comparison = ReturnType<typeof createComparison>;

type Item = Pair & {
  /** The places that lead here. */
  readonly parents: Item[];
  /** Whether values went or came here, as far as this matters for the whole. */
  readonly isNarrower: boolean;
  readonly isWider: boolean;
  /** Whether a change here or inside says so. */
  isExplained: boolean;
};

/** What changed in schemas for those who send (`input`) or read (`output`) values of them. */
export function compareSchemas(
  [old, now]: readonly [Place, Place],
  { direction, field = '' }: { direction: Direction; field?: string },
  comparison: Comparison,
): SchemaChange[] {
  const walk: Walk = { direction, comparison, items: [], changes: [] };
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? '';
  try {
    visitPairs({ old, now, field }, walk);
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    walk.changes.push(classify('schema-uncompared', direction, { pointer, field }));
  }
  // What is inside comes later in the list: the innermost place that nothing explains gets a change of its own.
  const rule = direction === 'input' ? 'values-refused' : 'values-added';
  for (const item of walk.items.toReversed()) {
    const isBroken = direction === 'input' ? item.isNarrower : item.isWider;
    if (isBroken && !item.isExplained) report(item, { rule, pointer: item.now[0]?.pointer ?? pointer }, walk);
  }
  return withoutRepetition(walk.changes);
}

type Walk = {
  readonly direction: Direction;
  readonly comparison: Comparison;
  readonly items: Item[];
  readonly changes: SchemaChange[];
};

function report(item: Item, { isNarrower = true, isWider = true, ...found }: Found, walk: Walk): void {
  const { direction, comparison, changes } = walk;
  const { rule, ...facts } = found;
  const evidence: Evidence = {
    isNarrower: item.isNarrower && isNarrower,
    isWider: item.isWider && isWider,
    isCompiled: comparison.isCompiled,
  };
  if (!hasEffect(rule, evidence)) return;
  const change = classify(rule, direction, { ...facts, field: facts.field ?? item.field }, evidence);
  if (change.verdict === 'breaking') explain([item]);
  changes.push(change);
}

function explain(pending: Item[]): void {
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (!item.isExplained) pending.push(...item.parents);
    item.isExplained = true;
  }
}

function visitPairs(root: Pair, walk: Walk): void {
  const { comparison, items } = walk;
  const seen = new Map<string, Item>();
  const pending: { pair: Pair; parent?: Item }[] = [{ pair: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pair, parent } = next;
    const item = createItem(pair, parent, comparison);
    const key = `${identify(pair.old)} to ${identify(pair.now)} ${item.isNarrower} ${item.isWider}`;
    const known = seen.get(key);
    if (known !== undefined) {
      // Where it was met first it is compared; what stands beside a reference is its own.
      for (const one of compareKeywords(pair.old, pair.now)) report(item, one, walk);
      known.parents.push(...item.parents);
      if (known.isExplained) explain([...item.parents]);
      continue;
    }
    seen.set(key, item);
    items.push(item);
    const { found, inner } = comparePlaces(item, comparison.shapesOf);
    for (const one of found) report(item, one, walk);
    for (const one of inner.toReversed()) pending.push({ pair: one, parent: item });
  }
}

function createItem(pair: Pair, parent: Item | undefined, { work, isSubset }: Comparison): Item {
  spend(work);
  const isNarrower = (parent?.isNarrower ?? true) && !isSubset(pair.old, pair.now);
  const isWider = (parent?.isWider ?? true) && !isSubset(pair.now, pair.old);
  return { ...pair, parents: parent === undefined ? [] : [parent], isNarrower, isWider, isExplained: false };
}
