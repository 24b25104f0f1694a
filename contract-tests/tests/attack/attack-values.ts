import { join } from 'node:path';
import { runChild } from './child.ts';
import type { AttackOptions, AttackResult } from './property.ts';

/** Hostile values for the validators of generated packages, in a process that is killed if a validator doesn't return. */
export async function attackValues({ seed, path = '', until, folder }: AttackOptions): Promise<AttackResult> {
  const shareMs = until - performance.now();
  // No call starts after its share of the time: a call that is still running a minute later doesn't return.
  const wallMs = shareMs + 60_000;
  const script = join(import.meta.dirname, 'call-validators.ts');
  const args = [script, folder, String(seed), path, String(shareMs)];
  const { code, out, err, stopped } = await runChild(args, {
    cwd: folder,
    limits: { wallMs, cpuMs: wallMs, peakMb: 4_000 },
  });
  const last = out.trimEnd().split('\n').at(-1) ?? '';
  if (code === 0) return JSON.parse(last);
  const problem = `${last}\n${stopped ?? `ended with ${code}: ${err.slice(-1_000)}`}`;
  return { cases: 0, planned: 0, failure: { path, problem } };
}
