import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import picomatch from 'picomatch';
import { createSandbox, listen, listFaults, shiftedClock } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { httpPorts, isSound, renderSelfCheck, runSelfCheck, type StartSystem } from '../src/index.ts';
import { catalog, targetAt } from './sandbox-under-test.ts';

/**
 * `node socket-self-check.ts [--only GLOB]…`: checks every fault by all rules, as `conform` does over a loopback socket: real
 * waits, and a clock that the gate moves through the admin routes. Exit code 1 when a fault is missed or a rule gives a false alarm.
 */
if (import.meta.main) await main();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: ['*'] } } });
  const isChosen = picomatch(values.only);
  const report = await runSelfCheck({
    specs: await buildEffectiveSpecs(defaultSpecSettings),
    faults: listFaults().filter(({ id }) => isChosen(id)),
    variants: [],
    module: import.meta.url,
    threads: Math.min(4, availableParallelism()),
    runsPerThread: 10,
    onProgress: ({ done, total, id }) => process.stderr.write(`${done}/${total} ${id}\n`),
  });
  // Some faults only prove some rules, so that a choice leaves rules unproven.
  const isPartial = report.faults.total < listFaults().length;
  const shown = isPartial ? { ...report, rules: { ...report.rules, unproven: [] } } : report;
  process.stdout.write(`${renderSelfCheck(shown)}\n`);
  process.exitCode = isSound(shown) ? 0 : 1;
}

/** Sandboxes behind sockets: what a thread of the self-check loads. */
export function systemsUnderTest(specs: EffectiveSpecs): StartSystem {
  return async (deviation) => {
    const sandbox = createSandbox({ specs, clock: shiftedClock(), catalog, ...deviation });
    const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
    const target = targetAt(server.url, sandbox.jobs);
    return {
      target,
      // One probe at a time: a fault that holds up other callers must not fail the rules that run beside its own.
      ports: { ...httpPorts(target), concurrency: 1 },
      close: async () => {
        await server.close();
        sandbox.close();
      },
    };
  };
}
