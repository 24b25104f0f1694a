import { resolve } from 'node:path';
import { mergeFolders } from '../../../contract-tests/src/index.ts';
import type { ConformFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { loadConfig } from '../load-settings.ts';
import { readAcceptance } from './accepted-findings.ts';
import { presentReport, readAsked } from './present-report.ts';

/** One report of the parts of a run, with the exit code that one machine would have ended with. */
export async function mergeParts(folders: readonly string[], flags: ConformFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(flags, io);
  const outDir = loaded.get('conform.out');
  const acceptance = await readAcceptance(loaded, flags, io);
  const report = await mergeFolders(
    folders.map((part) => resolve(io.workingFolder, part)),
    outDir,
    { complete: acceptance.complete, ...readAsked(loaded, io) },
  );
  return presentReport(report, { flags, outDir, baseline: acceptance.written }, io);
}
