import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type AttackClass, type AttackRun, type Defect, shown } from './attack-class.ts';
import { honestRouter, serve } from './router.ts';
import { killGroup, readUsage } from './run-child.ts';
import { valueCase, valueModel } from './value-cases.ts';

const worker = join(import.meta.dirname, 'value-worker.ts');
/** Processor time of one probe: building its value, two calls of the validator, and ajv's answer. */
const probeCpuMs = 6_000;
/** Processor time of the two calls. */
const callsCpuMs = 4_000;
const batchSize = 120;

type Said = {
  case: number;
  probe?: number;
  missing?: true;
  ms?: number;
  answer?: [boolean, boolean];
  error?: string;
  expected?: boolean | 'ends';
};

/** Values from strangers against the validators of generated packages. */
export const valueAttack: AttackClass = {
  name: 'values',
  cases: 720,
  run: async (run) => {
    const defects: Defect[] = [];
    for (let at = 0; at < run.cases.length; at += batchSize) {
      const batch = run.cases.slice(at, at + batchSize);
      defects.push(...(await attackBatch(batch, run)));
      run.progress(at + batch.length);
    }
    return defects;
  },
};

async function attackBatch(batch: readonly number[], run: AttackRun): Promise<Defect[]> {
  const out = join(run.folder, 'out');
  rmSync(run.folder, { recursive: true, force: true });
  const texts = batch.map((index) => [valueModel(index), JSON.stringify(valueCase(run, index).document)] as const);
  const router = await serve(honestRouter(new Map(texts)));
  const flags = ['--router-url', router.url, '--out', 'out', '--cache', 'cache', '--output-validators'];
  const bounds = { wallMs: 300_000, cpuMs: 120_000, peakMb: 3_000 };
  const env = { SWITCHYARD_API_KEY: 'sk-attack-values' };
  const made = await run.checkout
    .run('generate', flags, { cwd: run.folder, env, bounds })
    .finally(() => router.close());
  if (made.code !== 0)
    return [{ case: batch[0] ?? 0, kind: 'not generated', what: made.stopped ?? made.err.slice(0, 300) }];
  const defects: Defect[] = [];
  let rest: readonly number[] = batch;
  let skip = 0;
  while (rest.length > 0) {
    const { lines, hung } = await ask(out, run.seed, rest, skip);
    for (const line of lines) {
      const defect = describeDefect(line, run);
      if (defect !== undefined) defects.push(defect);
    }
    if (hung === undefined) break;
    const { kind } = valueCase(run, hung.case);
    defects.push({ case: hung.case, kind: `${kind}: ${hung.how}`, what: `probe ${hung.probe} ${hung.how}` });
    rest = rest.slice(rest.indexOf(hung.case));
    skip = hung.probe + 1;
  }
  return defects;
}

type Hung = { case: number; probe: number; how: string };

/** Runs a worker until it ends, or until one probe has used up its time; the others are asked by the next worker. */
async function ask(
  out: string,
  seed: number,
  cases: readonly number[],
  skip: number,
): Promise<{ lines: Said[]; hung: Hung | undefined }> {
  const child = spawn(process.execPath, [worker, out, String(seed), cases.join(), String(skip)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const lines: Said[] = [];
  let current: Said | undefined;
  let cpuAtStart = 0;
  let how: string | undefined;
  const timer = setInterval(() => {
    if (current === undefined || readUsage(child.pid ?? 0).cpuMs - cpuAtStart < probeCpuMs) return;
    how = 'does not end';
    killGroup(child);
  }, 200);
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line: Said = JSON.parse(text);
    const isStart = line.missing === undefined && line.ms === undefined;
    if (!isStart) lines.push(line);
    current = isStart ? line : undefined;
    if (isStart) cpuAtStart = readUsage(child.pid ?? 0).cpuMs;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  clearInterval(timer);
  if (code === 0) return { lines, hung: undefined };
  if (current?.probe === undefined) throw new Error(`the worker of values ended with ${code}`);
  return { lines, hung: { case: current.case, probe: current.probe, how: how ?? 'ends the process' } };
}

function describeDefect(said: Said, run: AttackRun): Defect | undefined {
  const { kind, schema } = valueCase(run, said.case);
  const found = (problem: string, what: string): Defect => ({
    case: said.case,
    kind: `${kind}: ${problem}`,
    what: `probe ${said.probe ?? 0} ${what}: ${shown(JSON.stringify(schema), 120)}`,
  });
  // Schemas that never end may be left out, with a diagnostic.
  if (said.missing) return kind === 'cycle' ? undefined : found('not generated', 'has no validator');
  if (said.error !== undefined) return found('throws', said.error);
  const [is, validates] = said.answer ?? [];
  if (is !== validates) return found('two answers', `is answered with ${is} and ${validates}`);
  if (said.expected !== 'ends' && is !== said.expected)
    return found(is ? 'wrong accept' : 'wrong refusal', `is answered with ${is}`);
  return (said.ms ?? 0) > callsCpuMs ? found('slow', `takes ${Math.round(said.ms ?? 0)} ms`) : undefined;
}
