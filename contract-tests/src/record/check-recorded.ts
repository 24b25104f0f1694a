import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { ConformanceInput } from '../conform.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Target } from '../contract/target.ts';
import type { ConformanceReport } from '../report/report.ts';
import { conformToFolder } from './conform-to-folder.ts';
import { credentialsIn, type ReadHar } from './har.ts';
import type { ReportOptions } from './write-reports.ts';

export type Recorded = Pick<ReadHar, 'exchanges' | 'urls'> &
  Pick<ConformanceInput, 'evidence'> & {
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
 * into a folder. Throws like `conformToFolder`, and when nothing was recorded.
 */
export async function checkRecorded(
  recorded: Recorded,
  folder: string,
  options: ReportOptions = {},
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
  const { evidence } = recorded;
  const input = { target, specs, rules: passive, recorded: exchanges, ...(evidence && { evidence }) };
  return conformToFolder(input, folder, options);
}
