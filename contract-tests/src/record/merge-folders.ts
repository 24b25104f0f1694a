import { isJsonObject } from '../../../specs/src/index.ts';
import { allRules } from '../conform.ts';
import { HarnessError } from '../contract/errors.ts';
import { mergeReports, type ShardNote } from '../report/merge-reports.ts';
import { renderFiles } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';
import { openReportFolder, readReportFile } from '../wire/report-files.ts';

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
  const text = await readReportFile(folder, shardFile);
  if (text === undefined)
    throw new HarnessError(`${folder} holds no ${shardFile}: is it the folder of a run with --shard?`);
  const value = parse(text);
  const isNote = isJsonObject(value) && value['format'] === 'switchyard-shard-1' && isJsonObject(value['report']);
  if (!isNote) throw new HarnessError(`${shardFile} of ${folder} is damaged, or of another version`);
  // Written by `conformToFolder` in this format.
  return value as unknown as ShardNote;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
