import { openReportFolder } from '../adapters/report-files.ts';
import type { ConformanceInput } from '../conform.ts';
import { renderFiles } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';
import { superviseRun } from './supervise.ts';

/**
 * Checks a target over HTTP, in a process that can be ended, and writes its reports into a folder. `complete` adds what the
 * caller knows beside the run: waivers, or an earlier run. Throws `HarnessError` when it cannot be written, or when a file would show a credential.
 */
export async function conformToFolder(
  input: ConformanceInput,
  folder: string,
  complete: (report: ConformanceReport) => ConformanceReport | Promise<ConformanceReport> = (report) => report,
): Promise<ConformanceReport> {
  const reports = await openReportFolder(folder);
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const report = await complete(await superviseRun(input, new URL(`../conform.${ending}`, import.meta.url).href));
  await reports.write(renderFiles(report, input.target));
  return report;
}
