import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../options.ts';
import { progress } from '../report/output.ts';

/** Does `work` with an empty folder, which goes afterwards unless `--keep` is given. */
export async function withWorkingFolder(options: BenchOptions, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    await work(folder);
  } finally {
    if (options.keep) progress(`kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
