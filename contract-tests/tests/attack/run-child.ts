import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Bounds of one process with its children; it is killed at the first one that it passes. */
export type Bounds = {
  /** Wall time. */
  readonly wallMs: number;
  /** Processor time: on a shared machine the fairer measure of work. */
  readonly cpuMs: number;
  /** Resident memory of all processes together. */
  readonly peakMb: number;
};
export type Ended = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** All bytes printed; `out` and `err` hold the first 4 MiB of each. */
  readonly printed: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  /** The bound that it was killed at, as words. */
  readonly stopped: string | undefined;
};
type Spawned = { cwd: string; env?: Record<string, string>; bounds: Bounds };

const keptBytes = 4 * 1024 * 1024;
const ticksPerSecond = 100;
const pollMs = 100;

/** Runs Node with these arguments; never rejects. The environment holds nothing but what is given. */
export async function runChild(args: readonly string[], { cwd, env = {}, bounds }: Spawned): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true, // a group of its own, which can be killed as a whole
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, NO_COLOR: '1', ...env },
  });
  const written = { out: '', err: '', printed: 0 };
  collect(child, written);
  let code: number | null | undefined;
  child.on('close', (status) => {
    code = status;
  });
  let cpuMs = 0;
  let peakMb = 0;
  let stopped: string | undefined;
  while (code === undefined) {
    await pause(pollMs);
    const used = readUsage(child.pid ?? 0);
    cpuMs = Math.max(cpuMs, used.cpuMs);
    peakMb = Math.max(peakMb, used.peakMb);
    const passed = passedBound({ wallMs: performance.now() - startedAt, cpuMs, peakMb }, bounds);
    if (passed === undefined || stopped !== undefined || code !== undefined) continue;
    stopped = passed;
    killGroup(child);
  }
  return { code, ...written, wallMs: performance.now() - startedAt, cpuMs, peakMb, stopped };
}

function collect(child: ChildProcess, written: { out: string; err: string; printed: number }): void {
  for (const name of ['out', 'err'] as const) {
    child[name === 'out' ? 'stdout' : 'stderr']?.setEncoding('utf8').on('data', (text: string) => {
      written.printed += Buffer.byteLength(text);
      if (written[name].length < keptBytes) written[name] += text;
    });
  }
}

function passedBound(used: Bounds, bounds: Bounds): string | undefined {
  if (used.wallMs > bounds.wallMs) return `it had not ended after ${Math.round(bounds.wallMs / 1000)} s`;
  if (used.cpuMs > bounds.cpuMs) return `it had not ended after ${Math.round(bounds.cpuMs / 1000)} s of processor time`;
  return used.peakMb > bounds.peakMb ? `it held ${Math.round(used.peakMb)} MB` : undefined;
}

export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** Processor time and memory of a process and all below it. */
export function readUsage(pid: number): { cpuMs: number; peakMb: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const below = children === '' ? [] : children.split(' ').map((child) => readUsage(Number(child)));
    return below.reduce((sum, one) => ({ cpuMs: sum.cpuMs + one.cpuMs, peakMb: sum.peakMb + one.peakMb }), {
      cpuMs: (ticks * 1000) / ticksPerSecond,
      peakMb: Number(memory) / 1024,
    });
  } catch {
    return { cpuMs: 0, peakMb: 0 };
  }
}
