import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import picomatch from 'picomatch';
import { createSandbox, listen, listFaults } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, type EffectiveSpecs } from '../../specs/src/index.ts';
import {
  checkRules,
  type FaultRun,
  httpPorts,
  isSound,
  onThreads,
  renderSelfCheck,
  type SelfCheckReport,
  type StartSystem,
} from '../src/index.ts';
import { catalog, targetAt } from './sandbox-under-test.ts';

/**
 * `node socket-self-check.ts [--only GLOB]… [--seed N]` checks every fault with all rules over a loopback socket, like `conform`: with real
 * waits, and a clock that the gate advances through admin routes. Exit code 1 if no rule detects a fault or a rule fails without a fault.
 */
if (import.meta.main) await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true, default: ['*'] }, seed: { type: 'string' } },
  });
  const seed = values.seed === undefined ? undefined : Number(values.seed);
  const isChosen = picomatch(values.only);
  const chosen = listFaults().filter(({ id }) => isChosen(id));
  const first = await check(chosen, { threads: Math.min(4, availableParallelism()), runsPerThread: 8, seed });
  const report = await repeatSuspects(first, chosen, seed);
  process.stdout.write(`${renderSelfCheck(report)}\n`);
  process.exitCode = isSound(report) ? 0 : 1;
}

type Threads = { readonly threads: number; readonly runsPerThread: number; readonly seed: number | undefined };

async function check(faults: ReturnType<typeof listFaults>, threads: Threads): Promise<SelfCheckReport> {
  const specs = buildEffectiveSpecs();
  const onProgress = ({ done, total, id }: { done: number; total: number; id: string }) =>
    process.stderr.write(`${done}/${total} ${id}\n`);
  return onThreads({ ...threads, specs, module: import.meta.url }, (runs) =>
    checkRules({ faults, variants: [], onProgress, seed: threads.seed, ...runs }),
  );
}

/** Repeats suspicious faults one at a time, because parallel runs delay each other in real time and can cause wrong results. */
async function repeatSuspects(
  report: SelfCheckReport,
  chosen: ReturnType<typeof listFaults>,
  seed: number | undefined,
): Promise<SelfCheckReport> {
  const isSuspect = ({ caughtBy, unexpectedFailures }: FaultRun): boolean =>
    caughtBy.length === 0 || unexpectedFailures.length > 0;
  const suspects = new Set(report.faults.runs.filter(isSuspect).map(({ id }) => id));
  if (suspects.size === 0) return report;
  const again = await check(
    chosen.filter(({ id }) => suspects.has(id)),
    { threads: 1, runsPerThread: 1, seed },
  );
  const runs = report.faults.runs.map((run) => again.faults.runs.find(({ id }) => id === run.id) ?? run);
  return {
    ...report,
    faults: {
      ...report.faults,
      total: runs.length,
      caught: runs.filter(({ caughtBy }) => caughtBy.length > 0).length,
      runs,
    },
    falseAlarms: again.falseAlarms,
    seconds: report.seconds + again.seconds,
  };
}

/** Starts sandboxes behind sockets; threads of the self-check load this function. */
export function systemsUnderTest(specs: EffectiveSpecs): StartSystem {
  return async (deviation) => {
    const sandbox = createSandbox({ specs, catalog, ...deviation });
    const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
    const target = targetAt(server.url, true);
    return {
      target,
      // One scenario at a time: a fault that delays other callers must not fail rules that run in parallel.
      ports: { ...httpPorts(target), concurrency: 1 },
      close: async () => {
        await server.close();
        sandbox.close();
      },
    };
  };
}
