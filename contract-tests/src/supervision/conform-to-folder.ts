import { openReportFolder } from '../adapters/report-files.ts';
import type { ConformanceInput } from '../conform.ts';
import { renderFiles } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';
import { shardFile } from './merge-folders.ts';
import { superviseRun } from './supervise.ts';

/**
 * Checks a target over HTTP, in a process that can be ended, and writes `result.json` and `junit.xml` into a folder.
 * Throws `HarnessError` when it cannot be written, or when a file would show a credential.
 */
export async function conformToFolder(input: ConformanceInput, folder: string): Promise<ConformanceReport> {
  const reports = await openReportFolder(folder);
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const { part, ...report } = await superviseRun(input, new URL(`../conform.${ending}`, import.meta.url).href);
  await reports.write(renderFiles(report, input.target));
  if (part !== undefined) await reports.write({ [shardFile]: `${JSON.stringify({ ...part, report })}\n` });
  return report;
}
