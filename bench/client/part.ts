import type { Cell } from '../report/table.ts';

/** A table of the bench. */
export type Part = {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};
