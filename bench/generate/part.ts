import type { Run } from '../measure/process.ts';
import { type Cell, formatTable } from '../report/table.ts';

/** A measurement, or why there is none. */
export type Row = { what: string; run: Run | undefined; ratio?: number | undefined; target: string };
export type Part = { title: string; ratioTo: string; rows: Row[] };

export const notBuilt = 'not built yet';

export function renderPart({ title, ratioTo, rows }: Part): string {
  const cells = rows.map(({ what, run, ratio, target }): Cell[] =>
    run === undefined
      ? [what, notBuilt, '', '', target]
      : [
          what,
          Math.round(run.ms),
          ratio === undefined ? '' : ratio.toFixed(2),
          run.peakMb === undefined ? '' : Math.round(run.peakMb),
          target,
        ],
  );
  return `${title}\n${formatTable(['', 'ms', `of ${ratioTo}`, 'peak MB', 'target'], cells)}`;
}
