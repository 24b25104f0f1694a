import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes each file beside its place and moves it there: a reader never sees half a report, a failure leaves the earlier one. */
export async function writeReportFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const unfinished = join(folder, `.${name}.${crypto.randomUUID()}`);
    try {
      await writeFile(unfinished, text);
      await rename(unfinished, join(folder, name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}
