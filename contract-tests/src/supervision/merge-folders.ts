import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openReportFolder } from '../adapters/report-files.ts';
import { allRules } from '../conform.ts';
import { HarnessError } from '../definitions/errors.ts';
import { mergeReports, type ShardNote } from '../report/merge-reports.ts';
import { renderFiles } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';

/** What a part of a run leaves beside its reports. */
export const shardFile = 'shard.json';

/**
 * Merges the parts of a run that lie in these folders, and writes the reports of the whole. `complete` adds waivers, or an earlier
 * run, as for `conformToFolder`. Throws `HarnessError`.
 */
export async function mergeFolders(
  folders: readonly string[],
  out: string,
  complete: (report: ConformanceReport) => ConformanceReport = (report) => report,
): Promise<ConformanceReport> {
  const notes = await Promise.all(folders.map(readNote));
  const report = complete(mergeReports(notes, allRules));
  const reports = await openReportFolder(out);
  await reports.write(renderFiles(report, notes[0]?.target ?? { kind: 'live' }));
  return report;
}

async function readNote(folder: string): Promise<ShardNote> {
  const file = join(folder, shardFile);
  let note: ShardNote;
  try {
    note = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new HarnessError(`${file} cannot be read: is it the folder of a run with --shard?`, { cause });
  }
  if (note.format !== 'switchyard-shard-1') throw new HarnessError(`${file} is of another version`);
  return note;
}
