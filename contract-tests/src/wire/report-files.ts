import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HarnessError } from '../contract/errors.ts';

export type ReportFolder = {
  /**
   * Writes each file under another name and renames it: a reader never sees half a report, a failure keeps the earlier one.
   * Names such as `exchanges/RULE.json` make a folder, which is replaced as a whole; `folders` are removed where no file is in them.
   */
  write(files: Readonly<Record<string, string>>, folders?: readonly string[]): Promise<void>;
};

/** Creates the folder and tries to write there before a run starts. Throws `HarnessError` when it cannot be written. */
export async function openReportFolder(folder: string): Promise<ReportFolder> {
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      const because = cause instanceof Error ? cause.message : String(cause);
      throw new HarnessError(`reports cannot be written to ${folder}: ${because}`, { cause });
    }
  };
  await guarded(async () => {
    // A folder that was there before keeps its own rules.
    if (await makeFolder(folder)) await writeFile(join(folder, '.gitignore'), '*\n');
    const probe = unfinishedName(folder);
    await writeFile(probe, '');
    await rm(probe);
  });
  return {
    write: (files, folders = []) =>
      guarded(async () => {
        const inFolders = Map.groupBy(Object.entries(files), ([name]) => dirname(name));
        for (const below of new Set([...folders, ...inFolders.keys()]))
          if (below !== '.') await replaceFolder(folder, below, inFolders.get(below) ?? []);
        for (const [name, text] of inFolders.get('.') ?? []) await replaceFile(folder, name, text);
      }),
  };
}

/** A file that an earlier run wrote; undefined when there is none. */
export function readReportFile(folder: string, name: string): Promise<string | undefined> {
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}

/** Whether the folder was made. `mkdir` with `recursive` never ends in a folder that refuses every new name (/proc). */
async function makeFolder(folder: string, parentMade = false): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT' || parentMade || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    return makeFolder(folder, true);
  }
}

async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const unfinished = unfinishedName(folder);
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, join(folder, name));
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function replaceFolder(folder: string, below: string, files: readonly [string, string][]): Promise<void> {
  const unfinished = unfinishedName(folder);
  try {
    await mkdir(unfinished);
    for (const [name, text] of files) await writeFile(join(unfinished, basename(name)), text);
    await rm(join(folder, below), { recursive: true, force: true });
    if (files.length > 0) await rename(unfinished, join(folder, below));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function unfinishedName(folder: string): string {
  return join(folder, `.unfinished-${crypto.randomUUID()}`);
}
