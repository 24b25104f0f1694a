import { join, resolve } from 'node:path';
import { exitCodeOf, mergeFolders, renderText } from '../../../contract-tests/src/index.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';

/** One report of the parts of a run, and the exit code that one machine would have ended with. */
export async function mergeParts(folders: readonly string[], flags: ConformFlags, io: CommandIo): Promise<number> {
  const outDir = resolve(io.workingFolder, flags.out ?? '.switchyard/conform');
  const report = await mergeFolders(
    folders.map((folder) => resolve(io.workingFolder, folder)),
    outDir,
  );
  const files = io.style('dim', `report: ${join(outDir, 'result.json')}`);
  io.out(flags.json ? `${JSON.stringify(report)}\n` : `${renderText(report)}\n${files}\n`);
  return exitCodeOf(report);
}
