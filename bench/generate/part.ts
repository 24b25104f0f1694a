import type { Run } from '../measure/process.ts';
import { type Cell, renderTable } from '../report/table.ts';

export type Row = { what: string; run: Run; ratio?: number; target: string };
export type Part = { title: string; ratioTo: string; rows: Row[] };

export function renderPart({ title, ratioTo, rows }: Part): string {
  const cells = rows.map(({ what, run, ratio, target }): Cell[] => [
    what,
    Math.round(run.ms),
    ratio === undefined ? '' : ratio.toFixed(2),
    run.peakMb === undefined ? '' : Math.round(run.peakMb),
    target,
  ]);
  return renderTable({ title, head: ['', 'ms', `of ${ratioTo}`, 'peak MB', 'target'], rows: cells });
}
