import { type Cell, formatTable } from './table.ts';

/** One line of a result: what was measured, how much, and what is wanted. */
export type Figure = {
  what: string;
  value: Cell;
  beside?: string;
  target: string;
  /** Where the bench itself can say so. */
  isMet?: boolean;
};

export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, beside = '', target, isMet }): Cell[] => {
    return [what, value, beside, target, isMet === undefined ? '' : isMet ? 'met' : 'MISSED'];
  });
  return formatTable(['', 'value', 'beside', 'target', ''], rows);
}
