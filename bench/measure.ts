import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './options.ts';
import type { Table } from './table.ts';

export function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

/** Measures the parts of a subject that `--only` selects, one after the other. */
export async function measureParts(
  { only }: BenchOptions,
  parts: Readonly<Record<string, () => Promise<Table>>>,
): Promise<Table[]> {
  const tables: Table[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (only.length > 0 && !only.includes(name)) continue;
    progress(name);
    tables.push(await measure());
  }
  return tables;
}

/** Calls `work` with an empty folder, which is removed afterwards unless `--keep` is given. */
export async function withWorkingFolder<T>({ keep }: BenchOptions, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    return await work(folder);
  } finally {
    if (keep) progress(`kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

/** Duration and peak memory of a whole process. `peakMb` is NaN if the process doesn't report it. */
export type Run = { ms: number; peakMb: number };
export type Program = { args: readonly string[]; cwd?: string; env?: Record<string, string> };

let sequence = 0;

/** Runs Node with these arguments. Throws an Error with the end of the output if the process fails. */
export async function runNode({ args, cwd, env }: Program): Promise<Run> {
  const peakFile = join(tmpdir(), `bench-peak-${process.pid}-${sequence++}`);
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', join(import.meta.dirname, 'report-peak.cjs'), ...args], {
    cwd,
    env: { ...process.env, ...env, BENCH_PEAK_FILE: peakFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part));
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  const ms = performance.now() - start;
  if (code !== 0)
    throw new Error(`${args.join(' ')} ended with ${code}: ${Buffer.concat(output).toString().slice(-2000)}`);
  const peak = await readFile(peakFile, 'utf8').catch(() => 'NaN');
  await rm(peakFile, { force: true });
  return { ms, peakMb: Number(peak) / 1024 };
}

/** A measured program. `before` prepares each run and is not timed. */
export type Act = { program: Program; before?: () => Promise<void> };

/** Returns the medians of each program. The programs take turns, so that a slow phase of the machine affects all of them. */
export async function medianRuns<Name extends string>(
  count: number,
  acts: Readonly<Record<Name, Act>>,
): Promise<Record<Name, Run>> {
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < count; round++) {
    for (const [name, { program, before }] of Object.entries<Act>(acts)) {
      await before?.();
      runs.set(name, [...(runs.get(name) ?? []), await runNode(program)]);
    }
  }
  const middle = (all: readonly Run[]): Run => ({
    ms: median(all.map(({ ms }) => ms)),
    peakMb: median(all.map(({ peakMb }) => peakMb)),
  });
  // `runs` has an entry for each name in `acts`.
  return Object.fromEntries([...runs].map(([name, all]) => [name, middle(all)])) as Record<Name, Run>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export type Child = { message: string; process: ChildProcess; stop(): Promise<void> };

/** Starts a script of the bench and waits for the first line that it prints. */
export function startChild(script: string, args: readonly string[], execArgv: readonly string[] = []): Promise<Child> {
  const child = spawn(process.execPath, [...execArgv, join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const stop = (): Promise<void> =>
    new Promise((done) => {
      if (child.exitCode !== null) return done();
      child.once('exit', () => done());
      child.kill();
    });
  return new Promise((done, fail) => {
    let text = '';
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`${script} ended with ${code} before it was ready`)));
    child.stdout?.on('data', (part: Buffer) => {
      text += part;
      const [line, rest] = text.split('\n', 2);
      if (line !== undefined && rest !== undefined) done({ message: line, process: child, stop });
    });
  });
}

const repository = join(import.meta.dirname, '..');

/** Packs the product as published, installs it below `folder` and returns its path. */
export async function installProduct(folder: string): Promise<string> {
  progress('building the product');
  const run = (command: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: repository, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  };
  const modules = join(folder, 'node_modules');
  const product = join(modules, 'openapi-switchyard');
  await mkdir(product, { recursive: true });
  const tarball = run('npm', ['pack', '--silent', '--pack-destination', folder]).trim().split('\n').at(-1) ?? '';
  run('tar', ['-xzf', join(folder, tarball), '-C', product, '--strip-components=1']);
  // Link the dependencies of this repository instead of installing them again.
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (name !== 'openapi-switchyard' && !name.startsWith('.'))
      await symlink(join(repository, 'node_modules', name), join(modules, name));
  }
  return product;
}

/** Returns the path of the script that the product's command runs. */
export const entryOf = (product: string): string => join(product, 'scripts', 'switchyard.mjs');

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string; ms: number };
export type HttpClient = {
  ask(method: string, url: string, body?: object): Promise<Answer>;
  send(method: string, url: string, bytes?: Uint8Array, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
};

/** Creates an HTTP client with keep-alive connections that sends these headers with every request. */
export function createHttpClient(headers: Record<string, string>, connections: number, timeoutMs = 60_000): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send: HttpClient['send'] = (method, url, bytes, more = {}) =>
    new Promise((done, fail) => {
      const start = performance.now();
      const length = bytes === undefined ? {} : { 'content-length': bytes.length };
      const sent = request(url, { method, agent, headers: { ...headers, ...more, ...length } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', fail);
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          done({ status, headers, body: Buffer.concat(parts).toString(), ms: performance.now() - start });
        });
      });
      sent.on('error', fail);
      sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      sent.end(bytes);
    });
  return {
    send,
    ask: (method, url, body) =>
      body === undefined
        ? send(method, url)
        : send(method, url, Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json' }),
    close: () => agent.destroy(),
  };
}
