import type { Target } from '../contract/target.ts';
import { exchangesFolder, type ReportFormat, renderFiles } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';
import type { ReportFolder } from '../wire/report-files.ts';

export type ReportOptions = {
  /** Written beside `result.json`, `report.html` and `junit.xml`. */
  readonly formats?: readonly ReportFormat[];
  /** Adds what the caller knows beside the run: waivers, or an earlier run. */
  readonly complete?: (report: ConformanceReport) => ConformanceReport;
};

/** Writes the files of a completed report, and returns it. Throws `HarnessError` when one of them would show a credential. */
export async function writeReports(
  folder: ReportFolder,
  run: ConformanceReport,
  target: Target,
  { formats = [], complete = (report) => report }: ReportOptions,
): Promise<ConformanceReport> {
  const report = complete(run);
  await folder.write(renderFiles(report, target, formats), [exchangesFolder]);
  return report;
}
