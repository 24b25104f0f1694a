import type { JsonObject } from '../../../specs/src/index.ts';
import type { Direction, RuleId } from './rules.ts';
import { type ChangeFacts, changeOf, type SchemaChange } from './schema-change.ts';
import type { Located } from './schema-parts.ts';

/** Two documents being compared in one direction. */
export type Comparison = {
  readonly direction: Direction;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Pairs that are, or were, being compared: recursion ends here. */
  readonly met: Set<string>;
  readonly changes: SchemaChange[];
  /** Pairs left before the schemas count as too large. */
  budget: number;
  /** Pairs left for finding out whether one alternative covers another, over all such questions. */
  readonly trials: { left: number; depth: number };
  readonly compare: Compare;
};
export type Compare = (before: Located, after: Located, comparison: Comparison) => void;

export function report(comparison: Comparison, rule: RuleId, facts: ChangeFacts): void {
  comparison.changes.push(changeOf(rule, comparison.direction, facts));
}

const anything = true;

/** Compares what stands at both places; nothing there accepts anything. */
export function compareOptional(
  before: Located | undefined,
  after: Located | undefined,
  how: { comparison: Comparison; at: string },
): void {
  if (before === undefined && after === undefined) return;
  const nowhere = { schema: anything, pointer: how.at };
  how.comparison.compare(before ?? nowhere, after ?? nowhere, how.comparison);
}
