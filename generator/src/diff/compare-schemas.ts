import { type JsonObject, OutOfWork, spend, type Work } from '../../../specs/src/index.ts';
import {
  type Change,
  type ChangeFacts,
  type ChangeRuleId,
  changeRules,
  type Direction,
  hasEffect,
  makeChange,
  withoutRepetition,
} from './change.ts';
import { compareKeywords, type KnownEffect, type Report } from './compare-keywords.ts';
import { comparePlaces, type Pair } from './compare-places.ts';
import { identify, listMembers, type Place, rawSchema } from './documents.ts';
import { createShapeReader, type ReadShapes } from './read-shapes.ts';
import { createSubsumption } from './subsumption.ts';
import { quote } from './words.ts';

/** Compares the schemas of one model or one operation with a shared budget of steps. */
export type Comparison = {
  readonly work: Work;
  /** Returns true if every value of the first place is also a value of the second. */
  readonly isSubset: (narrow: Place, wide: Place) => boolean;
  readonly shapesOf: ReadShapes;
  /** True if the compiler decides whether code breaks. */
  readonly isCompiled: boolean;
};

const stepsAtMost = 200_000;

export function createComparison(older: JsonObject, isCompiled: boolean, limits: Partial<Work> = {}): Comparison {
  const work = { left: stepsAtMost, ...limits };
  const isSubset = createSubsumption(work, new Set(listMembers(older).map(([name]) => name)));
  return { work, isSubset, shapesOf: createShapeReader(work, true), isCompiled };
}

type Item = Pair & {
  /** Places that contain this one. */
  readonly parents: Item[];
  /** True if values were removed or added here, and this is visible from the root. */
  readonly isNarrower: boolean;
  readonly isWider: boolean;
  /** True if a breaking change of this place or of a part of it is reported. */
  isExplained: boolean;
};

/**
 * Returns the changes between two schemas for senders (`input`) or readers (`output`) of their values. Subsumption
 * decides which places break, and the changes found there explain it. A place that breaks without an explanation gets a
 * generic change.
 */
export function compareSchemas(
  { old, now }: { readonly old: Place; readonly now: Place },
  direction: Direction,
  { work, isSubset, shapesOf, isCompiled }: Comparison,
): Change[] {
  const changes: Change[] = [];
  const explain = (first: Item): void => {
    const pending = [first];
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
      if (!item.isExplained) pending.push(...item.parents);
      item.isExplained = true;
    }
  };
  const report = (item: Item, rule: ChangeRuleId, facts: ChangeFacts, effect: KnownEffect = {}): void => {
    const { isNarrower = true, isWider = true, isRounded = false } = effect;
    const [lost, added] = [item.isNarrower || isRounded, item.isWider || isRounded];
    const evidence = { isNarrower: lost && isNarrower, isWider: added && isWider, isCompiled };
    if (!hasEffect(rule, evidence)) return;
    const change = makeChange(rule, direction, { field: item.field, ...facts }, evidence);
    if (change.verdict === 'breaking') explain(item);
    changes.push(change);
  };
  const items = new Map<string, Item>();
  const visit = (pair: Pair, parent: Item | undefined): readonly (readonly [Pair, Item])[] => {
    spend(work);
    const isNarrower = (parent?.isNarrower ?? true) && !isSubset(pair.old, pair.now);
    const isWider = (parent?.isWider ?? true) && !isSubset(pair.now, pair.old);
    const item: Item = { ...pair, parents: parent ? [parent] : [], isNarrower, isWider, isExplained: false };
    const reportHere: Report = (...change) => report(item, ...change);
    const key = `${identify(pair.old)} to ${identify(pair.now)} ${isNarrower} ${isWider}`;
    const known = items.get(key);
    if (known === undefined) {
      items.set(key, item);
      return comparePlaces(item, shapesOf, reportHere).map((inner) => [inner, item] as const);
    }
    // Compare its parts only where it was first found; keywords next to a reference belong to this place.
    compareKeywords(pair.old, pair.now, reportHere);
    known.parents.push(...item.parents);
    if (known.isExplained && parent !== undefined) explain(parent);
    return [];
  };
  const pointer = now[0]?.pointer ?? old[0]?.pointer ?? '';
  try {
    const pending: (readonly [Pair, Item | undefined])[] = [[{ old, now, field: '' }, undefined]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      pending.push(...visit(...next).toReversed());
  } catch (error) {
    if (!(error instanceof OutOfWork)) throw error;
    changes.push(makeChange('schema-uncompared', direction, { pointer, field: '' }));
  }
  const reportUnexplained = (item: Item, rule: 'values-refused' | 'values-added'): void => {
    const [was, is] = [item.old, item.now].map(([one]) =>
      quote(JSON.stringify(one === undefined ? true : rawSchema(one)), 200),
    );
    const message = `${changeRules[rule].summary} (${was} became ${is})`;
    report(item, rule, { pointer: item.now[0]?.pointer ?? pointer, message });
  };
  // In reverse, because parts come later: the innermost unexplained place gets the change.
  for (const item of [...items.values()].toReversed()) {
    const isBroken = direction === 'input' ? item.isNarrower : item.isWider;
    if (isBroken && !item.isExplained)
      reportUnexplained(item, direction === 'input' ? 'values-refused' : 'values-added');
  }
  // A difference that breaks nothing may also lack an explanation.
  const innermost = [...items.values()].findLast((item) => item.isNarrower || item.isWider);
  if (innermost !== undefined && changes.length === 0)
    reportUnexplained(innermost, innermost.isWider ? 'values-added' : 'values-refused');
  return withoutRepetition(changes);
}
