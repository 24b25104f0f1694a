import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';

/**
 * Writes files into a folder, which it creates. Moves finished files into place, so that a reader never sees a partial
 * report, and a failure keeps the earlier one. `replaced`: subfolders that are removed first. Throws `HarnessError` if
 * the folder isn't writable.
 */
export async function writeReports(
  folder: string,
  files: Readonly<Record<string, string>>,
  replaced: readonly string[] = [],
): Promise<void> {
  const unfinished = join(folder, `.unfinished-${crypto.randomUUID()}`);
  try {
    // A folder that existed before keeps its own ignore file.
    if (makeFolder(folder)) await writeFile(join(folder, '.gitignore'), '*\n');
    await mkdir(unfinished);
    for (const [name, text] of Object.entries(files)) {
      makeFolder(dirname(join(unfinished, name)));
      await writeFile(join(unfinished, name), text);
    }
    for (const below of replaced) await rm(join(folder, below), { recursive: true, force: true });
    const names = new Set(Object.keys(files).map((name) => name.split('/', 1).join()));
    for (const name of names) await rename(join(unfinished, name), join(folder, name));
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new HarnessError(`reports cannot be written to ${folder}: ${because}`, { cause });
  } finally {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
  }
}
