import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A whole process, from its start to its end. */
export type Run = { ms: number /** Peak memory; known for Node processes only. */; peakMb: number | undefined };
export type Program = {
  args: readonly string[];
  cwd?: string;
  env?: Record<string, string> /** Exit codes that count as success. */;
  codes?: readonly number[];
};

const peakReporter = join(import.meta.dirname, 'report-peak.cjs');
let sequence = 0;

/** Runs Node with these arguments; throws with the end of its output when it fails. */
export async function runNode({ args, cwd, env, codes = [0] }: Program): Promise<Run> {
  const peakFile = join(tmpdir(), `bench-peak-${process.pid}-${sequence++}`);
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', peakReporter, ...args], {
    cwd,
    env: { ...process.env, ...env, BENCH_PEAK_FILE: peakFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part));
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  const ms = performance.now() - start;
  if (code === null || !codes.includes(code)) {
    throw new Error(`${args.join(' ')} ended with ${code}: ${Buffer.concat(said).toString().slice(-2000)}`);
  }
  const peak = await readFile(peakFile, 'utf8').catch(() => undefined);
  await rm(peakFile, { force: true });
  return { ms, peakMb: peak === undefined ? undefined : Number(peak) / 1024 };
}

/** `before` prepares the run and is not timed. */
export type Act = { program: Program; before?: () => Promise<void> };

/** The median run of each; runs alternate, so that a slow phase of the machine affects all of them. */
export async function medianRuns<Name extends string>(
  count: number,
  acts: Readonly<Record<Name, Act>>,
): Promise<Record<Name, Run>> {
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < Math.max(count, 1); round++) {
    for (const [name, { program, before }] of Object.entries<Act>(acts)) {
      await before?.();
      runs.set(name, [...(runs.get(name) ?? []), await runNode(program)]);
    }
  }
  // With the given names.
  return Object.fromEntries([...runs].map(([name, all]) => [name, pickMiddle(all)])) as Record<Name, Run>;
}

export async function medianRun(count: number, program: Program, before?: () => Promise<void>): Promise<Run> {
  return (await medianRuns(count, { one: { program, ...(before === undefined ? {} : { before }) } })).one;
}

function pickMiddle(runs: readonly Run[]): Run {
  const peaks = runs.flatMap(({ peakMb }) => peakMb ?? []);
  return { ms: median(runs.map(({ ms }) => ms)), peakMb: peaks.length === 0 ? undefined : median(peaks) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('there is no median of nothing');
  return middle;
}
