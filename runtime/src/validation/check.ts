import type { Failures, ValuePath } from './failure.ts';
import type { JsonSchema } from './schema.ts';

/** Members and items that some part of a schema has evaluated; recorded only where `unevaluated…` applies. */
export type Evaluated = {
  names: Set<string>;
  /** How many items from the first one on. */
  items: number;
  /** Indices of other items. */
  others: Set<number>;
};

export type Run = {
  readonly failures: Failures;
  readonly evaluated: Evaluated | undefined;
  /** References followed so far: a schema may refer to itself endlessly. */
  readonly depth: number;
  readonly formats: FormatChecks | undefined;
};
export type FormatChecks = { readonly [name: string]: (text: string) => boolean };

/** Whether a value passes; adds failures where the run collects them. */
export type Check = (value: unknown, path: ValuePath, run: Run) => boolean;
/** Turns a schema within the same document into its check. */
export type Compile = (schema: JsonSchema) => Check;

export function nothingEvaluated(): Evaluated {
  return { names: new Set(), items: 0, others: new Set() };
}

export function addEvaluated(known: Evaluated, more: Evaluated): void {
  for (const name of more.names) known.names.add(name);
  known.items = Math.max(known.items, more.items);
  for (const index of more.others) known.others.add(index);
}

/** A run for the parts of a value, which record what they evaluate separately. */
export function inside(run: Run): Run {
  return run.evaluated === undefined ? run : { ...run, evaluated: undefined };
}

/** A run for the verdict alone. */
export function withoutFailures(run: Run): Run {
  return { ...run, failures: undefined };
}
