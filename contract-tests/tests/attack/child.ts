import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';

/** Limits of a process and its children, which are killed when they exceed one of the limits. */
type Limits = {
  readonly wallMs: number;
  /** Processor time, which doesn't depend on the load of the machine. */
  readonly cpuMs: number;
  /** Resident memory of all processes together. */
  readonly peakMb: number;
};
export type Ended = {
  readonly code: number | null;
  /** The first 4 MiB of each stream. */
  readonly out: string;
  readonly err: string;
  readonly printedBytes: number;
  readonly cpuMs: number;
  /** The limit that it exceeded; absent if it was not killed. */
  readonly stopped?: string;
};
type ChildOptions = { readonly cwd: string; readonly env?: Record<string, string>; readonly limits?: Partial<Limits> };
export type Command = 'generate' | 'diff' | 'docs' | 'verify' | 'conform';

const script = join(packageRoot(), 'scripts/switchyard.mjs');
const keptBytes = 4 * 1024 * 1024;
const ticksPerSecond = 100;
const running = new Set<ChildProcess>();

/** Flags for the models of a router. Without a scope, `generate` would write plain files. */
export function generateFlags(url: string, out = 'out'): string[] {
  return ['--router-url', url, '--scope', '@switchyard', '--out', out, '--cache', 'cache'];
}

export function runCommand(command: Command, flags: readonly string[], options: ChildOptions): Promise<Ended> {
  return runChild([script, command, ...flags], options);
}

/** Runs Node with these arguments until it ends or exceeds a limit; never rejects. */
export async function runChild(args: readonly string[], { cwd, env = {}, limits = {} }: ChildOptions): Promise<Ended> {
  const { wallMs = 120_000, cpuMs = 60_000, peakMb = 1_500 } = limits;
  const startedAt = performance.now();
  mkdirSync(cwd, { recursive: true });
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true, // A separate process group, so that its children can be killed with it.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, NO_COLOR: '1', ...env },
  });
  running.add(child);
  const written = { out: '', err: '', printedBytes: 0 };
  for (const name of ['out', 'err'] as const)
    child[`std${name}`].setEncoding('utf8').on('data', (text: string) => {
      written.printedBytes += Buffer.byteLength(text);
      if (written[name].length < keptBytes) written[name] += text;
    });
  let usedCpuMs = 0;
  let stopped: string | undefined;
  const timer = setInterval(() => {
    const used = readUsage(child.pid ?? 0);
    usedCpuMs = Math.max(usedCpuMs, used.cpuMs);
    if (performance.now() - startedAt > wallMs) stopped ??= `it had not ended after ${wallMs / 1000} s`;
    if (usedCpuMs > cpuMs) stopped ??= `it had not ended after ${cpuMs / 1000} s of processor time`;
    if (used.peakMb > peakMb) stopped ??= `it held ${Math.round(used.peakMb)} MB`;
    if (stopped !== undefined) kill(child);
  }, 100);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  clearInterval(timer);
  running.delete(child);
  return { code, ...written, cpuMs: usedCpuMs, ...(stopped === undefined ? {} : { stopped }) };
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

export function killChildren(): void {
  for (const child of running) kill(child);
}

/** Returns the processor time and memory of a process and its children. */
function readUsage(pid: number): { cpuMs: number; peakMb: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const used = { cpuMs: (ticks * 1000) / ticksPerSecond, peakMb: Number(memory) / 1024 };
    for (const child of children === '' ? [] : children.split(' ').map((one) => readUsage(Number(one)))) {
      used.cpuMs += child.cpuMs;
      used.peakMb += child.peakMb;
    }
    return used;
  } catch {
    return { cpuMs: 0, peakMb: 0 };
  }
}
