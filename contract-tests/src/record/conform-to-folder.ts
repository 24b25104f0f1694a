import { join } from 'node:path';
import type { ConformanceInput } from '../conform.ts';
import type { ConformanceReport } from '../report/report.ts';
import { openReportFolder } from '../wire/report-files.ts';
import { shardFile } from './merge-folders.ts';
import { type RunProgress, superviseRun } from './supervise.ts';
import { type ReportOptions, writeReports } from './write-reports.ts';

const notesFile = 'runs.jsonl';

/**
 * Checks a target over HTTP, in a process that can be ended, and writes its reports into a folder; of a live target also
 * `runs.jsonl`, which names each call that may be billed before it is sent. `onProgress` is called after each result. Throws `HarnessError` when it cannot be written, or when a file would show a credential.
 */
export async function conformToFolder(
  input: ConformanceInput,
  folder: string,
  { onProgress, ...options }: ReportOptions & { readonly onProgress?: (progress: RunProgress) => void } = {},
): Promise<ConformanceReport> {
  const reports = await openReportFolder(folder);
  const mayBeBilled = input.target.kind === 'live' && (input.target.budget?.runs ?? 0) > 0;
  if (mayBeBilled) await reports.write({ [notesFile]: '' });
  const notes = mayBeBilled ? join(folder, notesFile) : undefined;
  // A HAR holds the exchanges of all rules.
  const kept = options.formats?.includes('har') ? ({ evidence: 'all' } as const) : {};
  const { part, ...supervised } = await superviseRun({ ...input, ...kept }, rulesModule(), {
    ...(notes === undefined ? {} : { notes }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const report = await writeReports(reports, supervised, input.target, options);
  if (part !== undefined) await reports.write({ [shardFile]: `${JSON.stringify({ ...part, report })}\n` });
  return report;
}

/** What a run would send that could start a run; nothing is written. */
export function planConformanceRun(input: ConformanceInput): Promise<ConformanceReport> {
  return superviseRun({ ...input, planOnly: true }, rulesModule());
}

function rulesModule(): string {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`../conform.${ending}`, import.meta.url).href;
}
