import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProcessPorts, runConformance } from '../../contract-tests/src/index.ts';
import { catalog, limits, targetAt } from '../../contract-tests/tests/sandbox-under-test.ts';
import { createSandbox, listFaults, listVariants } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { progress, withWorkingFolder } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import type { Table } from '../table.ts';
import { type PrismProxy, type Recorded, recordTarget, startPrismProxy } from './tape.ts';

type Deviation = { id: string; faults: readonly string[]; variants: readonly string[] };
type Tool = { name: string; caught: number; alarms: number; calls: number; ms: number };

/**
 * Counts the faults that `conform` and Prism's proxy find, and their false alarms for variants that conform. The proxy
 * checks the traffic of `conform`.
 */
export function measureGate(options: BenchOptions): Promise<Table[]> {
  return withWorkingFolder(options, async (folder) => {
    const specs = await buildEffectiveSpecs(defaultSpecSettings);
    const proxies: PrismProxy[] = [];
    try {
      for (const name of ['modelRouter', 'workflowExecution'] as const) {
        const path = join(folder, `${name}.json`);
        await writeFile(path, JSON.stringify(specs[name]));
        proxies.push(await startPrismProxy(path));
      }
      return [await compareTools(specs, proxies, options)];
    } finally {
      for (const proxy of proxies) proxy.close();
    }
  });
}

async function compareTools(
  specs: EffectiveSpecs,
  proxies: readonly PrismProxy[],
  { sample }: BenchOptions,
): Promise<Table> {
  const faults = listFaults().map(({ id }) => ({ id, faults: [id], variants: [] }));
  const variants = listVariants().map(({ id }) => ({ id, faults: [], variants: [id] }));
  const chosen = [...faults, ...variants].filter((_, index) => index % sample === 0);
  const tool = (name: string): Tool => ({ name, caught: 0, alarms: 0, calls: 0, ms: 0 });
  const own = tool('switchyard conform');
  const prism = tool("Prism's proxy, the same traffic");
  const missed: string[] = [];
  const check = async (deviation: Deviation) => {
    const run = await runGate(specs, deviation);
    own.calls += run.calls;
    own.ms += run.ms;
    const start = performance.now();
    const [router, workflow] = proxies;
    const isRouter = ({ path }: Recorded): boolean => path.startsWith('/v2/');
    const found = [
      ...((await router?.check(run.tape.filter(isRouter))) ?? []),
      ...((await workflow?.check(run.tape.filter((one) => !isRouter(one)))) ?? []),
    ];
    prism.calls += run.tape.length;
    prism.ms += performance.now() - start;
    return { run, found };
  };
  // Violations that Prism also reports for a server without faults do not count.
  const healthy = new Set((await check({ id: 'healthy', faults: [], variants: [] })).found);
  for (const [index, deviation] of chosen.entries()) {
    if (index % 10 === 0) progress(`${index} of ${chosen.length}`);
    const { run, found } = await check(deviation);
    const isFound = found.some((one) => !healthy.has(one));
    if (deviation.faults.length === 0) {
      own.alarms += run.rules.length > 0 ? 1 : 0;
      prism.alarms += isFound ? 1 : 0;
    } else {
      const requirements = listFaults().find(({ id }) => id === deviation.id)?.requirements ?? [];
      const isCaught = run.requirements.some((id) => requirements.includes(id));
      own.caught += isCaught ? 1 : 0;
      prism.caught += isFound ? 1 : 0;
      if (!isCaught) missed.push(deviation.id);
    }
  }
  if (missed.length > 0) progress(`conform misses ${missed.join(', ')}`);
  const count = chosen.filter((one) => one.faults.length > 0).length;
  return {
    title: `${count} faults, and ${chosen.length - count} variants that conform`,
    head: ['', `found of ${count}`, `false alarms of ${chosen.length - count}`, 'calls per run', 'seconds per run'],
    rows: [own, prism].map(({ name, caught, alarms, calls, ms }) => {
      const runs = chosen.length + 1;
      return [name, caught, alarms, Math.round(calls / runs), (ms / runs / 1000).toFixed(2)];
    }),
  };
}

/** Runs all rules of the gate against a sandbox and records the exchanges. */
async function runGate(specs: EffectiveSpecs, { faults, variants }: Deviation) {
  const sandbox = createSandbox({ specs, clock: 'manual', catalog, faults, variants });
  const { handle, tape, calls } = recordTarget(sandbox.handle);
  // A variant may implement another reading of the API text, or behave as if other callers were active.
  const isPlain = variants.length === 0;
  const { readings, ...other } = targetAt('http://sandbox.test', isPlain);
  const target = { ...other, ...(isPlain && readings && { readings }) };
  const start = performance.now();
  const report = await runConformance({ target, specs, limits }, inProcessPorts(handle, sandbox.clock, target));
  const ms = performance.now() - start;
  sandbox.close();
  const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed' || outcome.kind === 'errored');
  return {
    requirements: failed.flatMap(({ requirements }) => requirements),
    rules: failed.map(({ ruleId }) => ruleId),
    calls: calls(),
    ms,
    tape,
  };
}
