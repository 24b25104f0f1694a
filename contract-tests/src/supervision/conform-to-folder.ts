import { openReportFolder } from '../adapters/report-files.ts';
import type { ConformanceInput } from '../conform.ts';
import { renderJunit } from '../report/render-junit.ts';
import { type ConformanceReport, renderJson } from '../report/report.ts';
import { superviseRun } from './supervise.ts';

/**
 * Checks a target over HTTP, in a process that can be ended, and writes `result.json` and `junit.xml` into a folder.
 * Throws `HarnessError` when it cannot be written.
 */
export async function conformToFolder(input: ConformanceInput, folder: string): Promise<ConformanceReport> {
  const reports = await openReportFolder(folder);
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const report = await superviseRun(input, new URL(`../conform.${ending}`, import.meta.url).href);
  await reports.write({ 'result.json': renderJson(report), 'junit.xml': renderJunit(report) });
  return report;
}
