import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before a program. Kills the process before the file operation with number KILL_AT, or fails every FULL_EVERY-th write
// with a full disk.
const killAt = Number(process.env['KILL_AT'] ?? Number.POSITIVE_INFINITY);
const fullEvery = Number(process.env['FULL_EVERY'] ?? Number.POSITIVE_INFINITY);
let operations = 0;
let writes = 0;

function step(isWrite: boolean): void {
  operations += 1;
  if (operations === killAt) process.kill(process.pid, 'SIGKILL');
  if (isWrite) writes += 1;
  if (isWrite && writes % fullEvery === 0)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

type Operation = (...args: unknown[]) => Promise<unknown>;
type Operations = Record<string, Operation>;

function watch(target: Operations, names: readonly string[], isWrite: (args: unknown[]) => boolean): void {
  for (const name of names) {
    const original = target[name] as Operation;
    target[name] = async (...args) => {
      step(isWrite(args));
      const result = await original.apply(target, args);
      if (name !== 'open') return result;
      const handle = result as Operations;
      watch(handle, ['sync', 'close'], () => false);
      watch(handle, ['write', 'writeFile'], () => true);
      return result;
    };
  }
}

const all = fs as unknown as Operations;
watch(all, ['copyFile', 'link', 'mkdir', 'readdir', 'readFile', 'rename', 'rm', 'stat', 'utimes'], () => false);
watch(all, ['open'], ([, flags]) => flags !== undefined && flags !== 'r');
watch(all, ['writeFile'], () => true);
syncBuiltinESMExports();
