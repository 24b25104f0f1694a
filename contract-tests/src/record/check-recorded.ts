import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Exchange } from '../contract/probe.ts';
import type { Target } from '../contract/target.ts';
import type { ConformanceReport } from '../report/report.ts';
import { decodedExchanges } from '../wire/content-coding.ts';
import { openReportFolder } from '../wire/report-files.ts';
import { type Bases, credentialsIn } from './har.ts';
import { renderHar } from './render-har.ts';
import { conformToFolder } from './report-folders.ts';

export type Recorded = {
  /** Between any client and the servers at these addresses. */
  readonly exchanges: readonly Exchange[];
  readonly urls: Bases;
  readonly specs: EffectiveSpecs;
  /** What no report may show beside the credentials that were sent. */
  readonly secrets?: readonly string[];
  /** For a gateway: no report shows their values. */
  readonly headers?: Target['headers'];
  /** Writes the traffic as well, without credentials. */
  readonly keepsTraffic: boolean;
};

/** Globs of the rules that read whole checks: all that recorded traffic can show. */
const passive = ['passive.*', 'trace.*'];

/**
 * Applies the rules over whole checks to recorded traffic; nothing is sent. Writes the report, and `recording.har`, into a folder;
 * `complete` is that of `conformToFolder`. Throws like `conformToFolder`, and when nothing was recorded.
 */
export async function checkRecorded(
  recorded: Recorded,
  folder: string,
  complete: (report: ConformanceReport) => ConformanceReport = (report) => report,
): Promise<ConformanceReport> {
  const { urls, specs } = recorded;
  const exchanges = decodedExchanges(recorded.exchanges);
  if (exchanges.length === 0) throw new HarnessError('nothing was recorded that belongs to the named servers');
  const target: Target = {
    kind: 'live',
    ...(urls.router && { router: { url: urls.router, credentials: {} } }),
    ...(urls.workflow && { workflow: { url: urls.workflow, credentials: {}, jobs: {} } }),
    headers: recorded.headers ?? [],
    secrets: [...(recorded.secrets ?? []), ...credentialsIn(exchanges)],
  };
  if (recorded.keepsTraffic) {
    const reports = await openReportFolder(folder);
    await reports.write({ 'recording.har': renderHar(exchanges, target) });
  }
  return conformToFolder({ target, specs, rules: passive, recorded: exchanges }, folder, complete);
}
