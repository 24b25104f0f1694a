import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './error-code.ts';
import { systemClock } from './system-clock.ts';

/** A folder that one process holds at a time; what lies in it goes with it. */
export type Claim = { readonly folder: string; release(): void };
/** Brings to an end what a process that died was doing in its folder. */
export type Finish = (folder: string) => void;

const pollMs = 20;
const patienceMs = 120_000;
/** A number of a process may be given anew, and other machines' processes cannot be asked: age decides then. */
const longestWorkMs = 600_000;
/** In a container, the process that died may have had the very number that we have. */
const thisRun = randomUUID();

/**
 * Waits until nobody holds the place, then holds it. A holder that died is followed up with `finish`. Throws when the
 * place stays taken for two minutes.
 */
export async function claimFolder(place: string, finish: Finish): Promise<Claim> {
  const mine = ownFolder(place);
  const now = markOwner(mine);
  try {
    for (let waited = 0; ; waited += pollMs) {
      if (tryRename(mine, place)) return { folder: place, release: () => discard(place) };
      if (!isHeld(place, now + waited)) takeOver(place, now + waited, finish);
      else if (waited >= patienceMs) throw new Error(`another process has held ${place} for too long`);
      else await systemClock.sleep(pollMs);
    }
  } catch (error) {
    rmSync(mine, { recursive: true, force: true });
    throw error;
  }
}

/** Follows up what processes that died have left at a place or beside it. */
export function clearLeftovers(place: string, finish: Finish): void {
  const base = basename(place);
  const names = namesIn(dirname(place)).filter((name) => name === base || name.startsWith(`${base}-`));
  if (names.length === 0) return;
  const probe = ownFolder(place);
  const now = markOwner(probe);
  rmSync(probe, { recursive: true, force: true });
  for (const name of names) {
    const folder = join(dirname(place), name);
    if (!isHeld(folder, now)) takeOver(folder, now, finish);
  }
}

function ownFolder(place: string): string {
  return `${place}-${process.pid}-${randomUUID()}`;
}

/** Says whose the folder is; returns the file system's own time of it, which no other machine's clock can contradict. */
function markOwner(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'owner.json');
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), run: thisRun }));
  return statSync(path).mtimeMs;
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(errorCode(error)) && namesIn(to).length > 0) return false;
    throw error;
  }
}

function isHeld(folder: string, now: number, name = folder): boolean {
  const since = touchedAt(join(folder, 'owner.json')) ?? touchedAt(folder);
  if (since === undefined || now - since > longestWorkMs) return false;
  const owner = readOwner(folder);
  if (owner === undefined) return isRunning(Number(/-(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1] ?? Number.NaN));
  if (owner.host !== hostname()) return true;
  return owner.pid === process.pid ? owner.run === thisRun : isRunning(owner.pid);
}

function touchedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

type Owner = { readonly pid: number; readonly host: unknown; readonly run: unknown };

/** Undefined for a folder whose maker has not yet said whose it is, or was killed before. */
function readOwner(folder: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('pid' in owner) || typeof owner.pid !== 'number')
      return undefined;
    return { pid: owner.pid, host: 'host' in owner && owner.host, run: 'run' in owner && owner.run };
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

// Moving it away first lets one of several finders do the work.
function takeOver(folder: string, now: number, finish: Finish): void {
  const mine = ownFolder(folder.replace(/-\d+-[0-9a-f-]{36}$/, ''));
  try {
    renameSync(folder, mine);
  } catch {
    return; // someone else was faster
  }
  if (isHeld(mine, now, folder)) {
    tryRename(mine, folder); // a new holder came between the question and the move
    return;
  }
  markOwner(mine);
  finish(mine);
  rmSync(mine, { recursive: true, force: true });
}

// Renamed at once, removed at leisure: a process killed here leaves something that the next one clears away.
function discard(place: string): void {
  const garbage = ownFolder(place);
  try {
    renameSync(place, garbage);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  rmSync(garbage, { recursive: true, force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
