import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFaults, listVariants } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { withWorkingFolder } from '../measure/working-folder.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { formatTable } from '../report/table.ts';
import { type Dredd, prepareDredd } from './dredd.ts';
import { type Deviation, type OwnRun, runOwnGate } from './own-gate.ts';
import { type PrismProxy, startPrismProxy } from './prism-proxy.ts';
import { startTapePlayer } from './tape.ts';

type Tool = { name: string; caught: string[]; alarms: string[]; calls: number; seconds: number; note: string };
type DeviationRun = {
  deviation: Deviation;
  own: OwnRun;
  prism: ReadonlySet<string>;
  dredd: ReadonlySet<string> | undefined;
};

/** The same faults and variants for our gate and for tools that exist. */
export function run(options: BenchOptions): Promise<void> {
  return withWorkingFolder(options, async (folder) => {
    const specs = await buildEffectiveSpecs(defaultSpecSettings);
    const player = await startTapePlayer();
    const proxies: PrismProxy[] = [];
    try {
      for (const name of ['modelRouter', 'workflowExecution'] as const) {
        const path = join(folder, `${name}.json`);
        await writeFile(path, JSON.stringify(specs[name]));
        proxies.push(await startPrismProxy(path, player));
      }
      const dredd = await prepareDredd(specs, folder);
      const bench = { specs, proxies, dredd, tools: makeTools(dredd) };
      const chosen = deviations(options.sample);
      const healthy = await runAll({ id: 'healthy', faults: [], variants: [] }, bench);
      for (const [index, deviation] of chosen.entries()) {
        if (index % 10 === 0) progress(`${index} of ${chosen.length}`);
        score(await runAll(deviation, bench), healthy, bench.tools);
      }
      publish(options, { bench: 'gate', text: render(bench.tools, chosen), figures: bench.tools });
    } finally {
      for (const proxy of proxies) proxy.stop();
      player.close();
    }
  });
}

/** Every n-th fault and variant; all of them for 1. */
function deviations(sample: number): Deviation[] {
  return [
    ...listFaults().map(({ id }) => ({ id, faults: [id], variants: [] })),
    ...listVariants().map(({ id }) => ({ id, faults: [], variants: [id] })),
  ].filter((_, index) => index % sample === 0);
}

type Bench = { specs: EffectiveSpecs; proxies: readonly PrismProxy[]; dredd: Dredd; tools: Tools };
type Tools = { own: Tool; prism: Tool; dredd: Tool };

function makeTools({ problem = '' }: Dredd): Tools {
  const tool = (name: string, note = ''): Tool => ({ name, caught: [], alarms: [], calls: 0, seconds: 0, note });
  return {
    own: tool('switchyard conform'),
    prism: tool('Prism proxy, the same traffic'),
    dredd: tool('Dredd', problem),
  };
}

async function runAll(deviation: Deviation, { specs, proxies, dredd, tools }: Bench): Promise<DeviationRun> {
  const own = await runOwnGate(specs, deviation);
  tools.own.calls += own.calls;
  tools.own.seconds += own.seconds;
  const [router, workflow] = proxies;
  const start = performance.now();
  const isRouter = ({ path }: { path: string }): boolean => path.startsWith('/v2/');
  const prism = new Set([
    ...((await router?.check(own.tape.filter(isRouter))) ?? []),
    ...((await workflow?.check(own.tape.filter((one) => !isRouter(one)))) ?? []),
  ]);
  tools.prism.calls += own.tape.length;
  tools.prism.seconds += (performance.now() - start) / 1000;
  const other = dredd.problem !== undefined ? undefined : await dredd.check(deviation);
  tools.dredd.calls += other?.calls ?? 0;
  tools.dredd.seconds += other?.seconds ?? 0;
  return { deviation, own, prism, dredd: other?.findings };
}

// A tool is tuned until it reports nothing on the healthy target: what it reports there does not count.
function score({ deviation, own, prism, dredd }: DeviationRun, healthy: DeviationRun, tools: Tools): void {
  const [fault] = deviation.faults;
  const requirements = listFaults().find(({ id }) => id === fault)?.requirements ?? [];
  const isNew = (said: ReadonlySet<string> | undefined, before: ReadonlySet<string> | undefined): boolean =>
    [...(said ?? [])].some((one) => before?.has(one) !== true);
  const says: [Tool, boolean][] = [
    [tools.own, fault === undefined ? own.rules.length > 0 : own.failed.some((id) => requirements.includes(id))],
    [tools.prism, isNew(prism, healthy.prism)],
    [tools.dredd, isNew(dredd, healthy.dredd)],
  ];
  for (const [tool, said] of says) if (said) (fault === undefined ? tool.alarms : tool.caught).push(deviation.id);
}

function render({ own, prism, dredd }: Tools, chosen: readonly Deviation[]): string {
  const faults = chosen.filter((one) => one.faults.length > 0).length;
  const runs = chosen.length + 1;
  const tools = dredd.note === '' ? [own, prism, dredd] : [own, prism];
  const table = formatTable(
    ['tool', `caught of ${faults}`, `false alarms of ${chosen.length - faults}`, 'calls a run', 'seconds a run'],
    tools.map(({ name, caught, alarms, calls, seconds }) => [
      name,
      caught.length,
      alarms.length,
      Math.round(calls / runs),
      (seconds / runs).toFixed(2),
    ]),
  );
  const missed = chosen.filter(({ id, faults: ids }) => ids.length > 0 && !own.caught.includes(id)).map(({ id }) => id);
  const others = new Set([...prism.caught, ...dredd.caught]);
  return [
    table,
    `Prism and Dredd together: ${others.size} of ${faults}. Only they: ${[...others].filter((id) => !own.caught.includes(id)).length}.`,
    ...(dredd.note === '' ? [] : [`Dredd: ${dredd.note}`]),
    ...(missed.length === 0 ? [] : [`missed by switchyard: ${missed.join(', ')}`]),
    ...(own.alarms.length === 0 ? [] : [`false alarms of switchyard: ${own.alarms.join(', ')}`]),
    ...(prism.alarms.length === 0 ? [] : [`false alarms of Prism: ${prism.alarms.slice(0, 10).join(', ')}`]),
  ].join('\n');
}
