import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';

type ReportFolder = {
  /** `folders` are replaced completely. */
  write(files: Readonly<Record<string, string>>, folders?: readonly string[]): Promise<void>;
};

/** Creates the folder and tries to write there before a check starts. Throws `HarnessError` when it cannot be written. */
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
    // A folder that existed before keeps its own ignore file.
    if (makeFolder(folder)) await writeFile(join(folder, '.gitignore'), '*\n');
    await replaceFiles(folder, {}, []);
  });
  return {
    write: (files: Readonly<Record<string, string>>, folders: readonly string[] = []): Promise<void> =>
      guarded(() => replaceFiles(folder, files, folders)),
  };
}

/** Moves finished files into place, so that a reader never sees a partial report, and a failure keeps the earlier one. */
async function replaceFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  folders: readonly string[],
): Promise<void> {
  const unfinished = join(folder, `.unfinished-${crypto.randomUUID()}`);
  try {
    await mkdir(unfinished);
    for (const [name, text] of Object.entries(files)) {
      makeFolder(dirname(join(unfinished, name)));
      await writeFile(join(unfinished, name), text);
    }
    for (const below of folders) await rm(join(folder, below), { recursive: true, force: true });
    const names = new Set(Object.keys(files).map((name) => name.split('/', 1).join()));
    for (const name of names) await rename(join(unfinished, name), join(folder, name));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
