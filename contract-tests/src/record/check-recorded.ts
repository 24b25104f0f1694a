import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Target } from '../contract/target.ts';
import { renderFiles } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';
import { openReportFolder } from '../wire/report-files.ts';
import { credentialsIn, type ReadHar } from './har.ts';
import { superviseRun } from './supervise.ts';

export type Recorded = Pick<ReadHar, 'exchanges' | 'urls'> & {
  readonly specs: EffectiveSpecs;
  /** What no report may show beside the credentials that were sent. */
  readonly secrets?: readonly string[];
  /** For a gateway: no report shows their values. */
  readonly headers?: Target['headers'];
};

/** Globs of the rules that read whole runs: all that recorded traffic can show. */
const passive = ['passive.*', 'trace.*'];

/**
 * Applies the rules over whole runs to recorded traffic, in a process that can be ended; nothing is sent. Writes the reports
 * into a folder; `complete` is that of `conformToFolder`. Throws like `conformToFolder`, and when nothing was recorded.
 */
export async function checkRecorded(
  recorded: Recorded,
  folder: string,
  complete: (report: ConformanceReport) => ConformanceReport = (report) => report,
): Promise<ConformanceReport> {
  const { exchanges, urls, specs } = recorded;
  if (exchanges.length === 0) throw new HarnessError('nothing was recorded that belongs to the named servers');
  const target: Target = {
    kind: 'live',
    ...(urls.router === undefined ? {} : { router: { url: urls.router, credentials: {} } }),
    ...(urls.workflow === undefined ? {} : { workflow: { url: urls.workflow, credentials: {}, jobs: {} } }),
    headers: recorded.headers ?? [],
    secrets: [...(recorded.secrets ?? []), ...credentialsIn(exchanges)],
  };
  const reports = await openReportFolder(folder);
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const input = { target, specs, rules: passive, recorded: exchanges };
  const report = complete(await superviseRun(input, new URL(`../conform.${ending}`, import.meta.url).href));
  await reports.write(renderFiles(report, target));
  return report;
}
