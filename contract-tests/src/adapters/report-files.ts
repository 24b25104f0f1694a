import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HarnessError } from '../definitions/errors.ts';

export type ReportFolder = {
  /** Writes each file under another name and renames it: a reader never sees half a report, a failure keeps the earlier one. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
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
    await makeFolder(folder);
    const probe = unfinishedName(folder);
    await writeFile(probe, '');
    await rm(probe);
  });
  return {
    write: (files) =>
      guarded(async () => {
        for (const [name, text] of Object.entries(files)) await replaceFile(folder, name, text);
      }),
  };
}

/** A file that an earlier run wrote; undefined when there is none. */
export function readReportFile(folder: string, name: string): Promise<string | undefined> {
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}

// `mkdir` with `recursive` never ends in a folder that refuses every new name (/proc).
async function makeFolder(folder: string, parentMade = false): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || parentMade || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await makeFolder(folder, true);
  }
}

async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const unfinished = unfinishedName(folder);
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function unfinishedName(folder: string): string {
  return join(folder, `.unfinished-${crypto.randomUUID()}`);
}
