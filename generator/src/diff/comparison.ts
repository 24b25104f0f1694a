import { anything } from '../../../specs/src/index.ts';
import { childPointer, type Located } from './located-schema.ts';
import { type ChangeFacts, type ChangeRuleId, classify, type Direction, type SchemaChange } from './schema-change.ts';
import type { SchemaNode } from './schema-node.ts';

/** The state of comparing two schemas in one direction. */
export type Comparison = {
  readonly direction: Direction;
  /** Pairs that are or were compared: recursion ends here. */
  readonly compared: Set<string>;
  readonly changes: SchemaChange[];
  /** Pairs left before the schemas count as too large. */
  budget: number;
  /** Pairs left for all questions whether one alternative covers another. */
  readonly trials: { left: number; depth: number };
  /** Handed down, so that unions and containers compare their parts without an import circle. */
  readonly compare: (before: Located, after: Located, comparison: Comparison) => void;
};
/** The older and the newer schema of a place, and where the newer one is. */
export type NodePair = { readonly old: SchemaNode; readonly now: SchemaNode; readonly at: Located };

export function report(comparison: Comparison, rule: ChangeRuleId, facts: ChangeFacts): void {
  comparison.changes.push(classify(rule, comparison.direction, facts));
}

/** Compares two parts of a pair; a missing one accepts every value. */
export function compareParts(
  [before, after]: readonly [Located | undefined, Located | undefined],
  keys: readonly (string | number)[],
  { at, comparison }: { at: Located; comparison: Comparison },
): void {
  if (before === undefined && after === undefined) return;
  const missing = { schema: anything, pointer: childPointer(at, ...keys), document: at.document };
  comparison.compare(before ?? missing, after ?? missing, comparison);
}

/** Reports whether null came or went. */
export function compareNull({ old, now, at }: NodePair, comparison: Comparison): void {
  if (old.acceptsNull !== now.acceptsNull)
    report(comparison, now.acceptsNull ? 'null-added' : 'null-removed', { pointer: at.pointer });
}
