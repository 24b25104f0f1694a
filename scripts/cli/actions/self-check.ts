import { availableParallelism } from 'node:os';
import { isSound, renderSelfCheck, runSelfCheck } from '../../../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { loadConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import type { ConformFlags } from '../flags.ts';
import { type CommandIo, startProgress } from '../io.ts';
import { effectiveSpecs, resolveSpecSettings } from '../settings.ts';

/** Checks the gate itself in process. Exit code 1 when a fault is missed or a rule gives a false alarm. */
export async function runSelfChecking(flags: ConformFlags, io: CommandIo): Promise<number> {
  if (flags.target !== undefined || flags.routerUrl !== undefined || flags.workflowUrl !== undefined) {
    throw new UsageError('--self-check has its own sandbox and takes no target');
  }
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const specs = await effectiveSpecs(resolveSpecSettings(flags, loaded, io.workingFolder));
  const progress = await startProgress(io);
  try {
    const report = await runSelfCheck({
      specs,
      faults: listFaults(),
      variants: listVariants(),
      module: import.meta.resolve(systemModule),
      threads: Math.min(4, availableParallelism()),
      onProgress: ({ done, total, id }) => progress.step('trying faults and variants', `${done}/${total} ${id}`),
    });
    progress.end();
    io.out(`${flags.json ? JSON.stringify(report) : renderSelfCheck(report)}\n`);
    return isSound(report) ? 0 : 1;
  } finally {
    progress.end();
  }
}

// Threads load it by its own name, which differs between the sources and the built copy.
const systemModule = import.meta.url.endsWith('.ts') ? '../system-under-test.ts' : '../system-under-test.js';
