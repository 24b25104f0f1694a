import { isJsonObject } from '../../../specs/src/index.ts';
import { allRules } from '../conform.ts';
import { HarnessError } from '../contract/errors.ts';
import { mergeReports, type ShardNote } from '../report/merge-reports.ts';
import type { ConformanceReport } from '../report/report.ts';
import { openReportFolder, readReportFile } from '../wire/report-files.ts';
import { type ReportOptions, writeReports } from './write-reports.ts';

/** What a part of a run leaves beside its reports. */
export const shardFile = 'shard.json';

/** Merges the parts of a run that lie in these folders, and writes the reports of the whole. Throws `HarnessError`. */
export async function mergeFolders(
  folders: readonly string[],
  out: string,
  options: ReportOptions = {},
): Promise<ConformanceReport> {
  const notes = await Promise.all(folders.map(readNote));
  const report = mergeReports(notes, allRules);
  return writeReports(await openReportFolder(out), report, notes[0]?.target ?? { kind: 'live' }, options);
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
