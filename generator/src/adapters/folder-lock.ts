import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isJsonObject } from '../../../specs/src/index.ts';
import { systemClock } from './system-clock.ts';

/** A folder that one process holds at a time. What lies in it outlives a killed holder, for the next one to clear up. */
type FolderLock = { readonly folder: string; release(): void };

const pollMs = 20;
const longestWaitMs = 15 * 60_000;
/** Process ids are reused and processes of other machines cannot be checked, so age decides in the end. */
const longestRunMs = 60 * 60_000;
/** An owner file this old without an owner in it belongs to a process that was killed as it wrote the file. */
const longestWriteMs = 2_000;
/** In a container the killed process may have had the process id of this one. */
const thisProcess = randomUUID();

/** Waits until no live process holds the folder. Throws after a quarter of an hour. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  for (let waitedMs = 0; waitedMs <= longestWaitMs; waitedMs += pollMs) {
    const owner = tryLock(folder);
    if (owner !== undefined) return { folder, release: () => release(folder, owner) };
    await systemClock.sleep(pollMs);
  }
  throw new Error(`another process has held ${folder} for too long`);
}

/**
 * The name of this process's owner file. Files are numbered: of several processes that find the last owner dead, one
 * creates the next number. The second look covers a folder that was released and locked again in between.
 */
function tryLock(folder: string): string | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const earlier = ownersIn(folder);
  if (earlier.some((name) => isAlive(join(folder, name)))) return undefined;
  const owner = `owner-${1 + Math.max(0, ...earlier.map((name) => Number(name.slice('owner-'.length))))}`;
  try {
    const facts = { pid: process.pid, host: hostname(), run: thisProcess };
    writeFileSync(join(folder, owner), JSON.stringify(facts), { flag: 'wx' });
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errorCode(error))) return undefined;
    throw error;
  }
  if (!ownersIn(folder).some((name) => name !== owner && isAlive(join(folder, name)))) return owner;
  rmSync(join(folder, owner), { force: true });
  return undefined;
}

// The owner file goes last, so that a process killed here leaves a folder that still names its dead owner.
function release(folder: string, owner: string): void {
  for (const name of readdirSync(folder))
    if (name !== owner) rmSync(join(folder, name), { recursive: true, force: true });
  rmSync(join(folder, owner), { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error; // held by the next process already
  }
}

function ownersIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^owner-\d+$/.test(name));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function isAlive(path: string): boolean {
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (writtenAt === undefined || systemClock.now() - writtenAt > longestRunMs) return false;
  const owner = readOwner(path);
  if (owner === undefined) return systemClock.now() - writtenAt < longestWriteMs;
  if (owner.host !== hostname()) return true;
  if (owner.pid === process.pid) return owner.run === thisProcess;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function readOwner(path: string): { pid: number; host: unknown; run: unknown } | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isJsonObject(owner) || typeof owner['pid'] !== 'number') return undefined;
    return { pid: owner['pid'], host: owner['host'], run: owner['run'] };
  } catch {
    return undefined;
  }
}

/** The system's code of an error, such as `ENOENT`; empty for anything else that was thrown. */
function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error));
}
