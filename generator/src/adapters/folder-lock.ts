import { randomUUID } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { asObject, errorCode, makeFolder } from '../../../specs/src/index.ts';
import type { Progress } from '../ports.ts';
import { systemClock } from './system-clock.ts';

/*
 * A folder is locked by a numbered file in it, of which the highest number counts. Only one process can create a number, and a
 * process that takes over creates the next one. The holder writes to its file again and again; the time of the last write shows
 * that it lives.
 */

/** A folder that one process holds at a time. Its contents outlive a killed holder, for the next one to clear up. */
export type FolderLock = {
  readonly folder: string;
  /** Throws if another process has taken over. With `isDue` false, does nothing within two seconds of the last check. */
  check(isDue?: boolean): void;
  release(): void;
};

const pollMs = 100;
const noticeMs = 1_000;
const longestWaitMs = 15 * 60_000;
const beatMs = 2_000;
/** A generation can block its event loop for many seconds, in which it gives no sign of life. */
const staleMs = 2 * 60_000;

/** Waits until no live process holds the folder, and reports that after a second. Throws after a quarter of an hour. */
export async function lockFolder(folder: string, say?: Progress): Promise<FolderLock> {
  const startedAt = systemClock.now();
  for (let isSaid = false; ; ) {
    const lock = tryLock(folder);
    if (lock !== undefined) return lock;
    const waitedMs = systemClock.now() - startedAt;
    const notice = `the lock of ${folder}, held since ${readSince(folder)}`;
    if (waitedMs > longestWaitMs) throw new Error(`another process keeps ${notice}`);
    if (waitedMs > noticeMs && !isSaid) say?.(`waiting for ${notice}`);
    isSaid ||= waitedMs > noticeMs;
    await systemClock.sleep(pollMs);
  }
}

/** Undefined while another process holds the folder. */
function tryLock(folder: string): FolderLock | undefined {
  makeFolder(folder, 0o700);
  const earlier = listNumbers(folder).at(-1) ?? 0;
  if (isFresh(folder, earlier)) return undefined;
  const number = earlier + 1;
  const path = claimPath(folder, number);
  const text = JSON.stringify({ token: randomUUID(), since: systemClock.now() });
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errorCode(error))) return undefined; // another process was faster
    throw error;
  }
  // Since the first look, all claims may have been removed, and a process may hold a lower number.
  const others = listNumbers(folder).filter((one) => one !== number);
  if (others.some((one) => one > number || isFresh(folder, one))) {
    rmSync(path, { force: true });
    return undefined;
  }
  for (const one of others) rmSync(claimPath(folder, one), { force: true });
  return holdLock(folder, number, text);
}

function holdLock(folder: string, number: number, text: string): FolderLock {
  const path = claimPath(folder, number);
  let beatAt = systemClock.now();
  const isHeld = (): boolean => {
    if (listNumbers(folder).at(-1) !== number || readRegular(path) !== text) return false;
    beat(path);
    beatAt = systemClock.now();
    return true;
  };
  const timer = setInterval(() => {
    try {
      isHeld();
    } catch {
      // A folder that was deleted meanwhile shows at the next check.
    }
  }, beatMs).unref();
  const clear = (): void => {
    clearInterval(timer);
    // The folder of a process that has taken over is not ours to clear.
    if (isHeld()) release(folder, path);
  };
  return {
    folder,
    check(isDue = true) {
      if (!isDue && systemClock.now() - beatAt < beatMs) return;
      if (!isHeld())
        throw new Error(
          `another process has taken over ${folder}, since this one gave no sign of life for two minutes: nothing was written; run it again`,
        );
    },
    release: atEnd(clear),
  };
}

/** The file system notes the time of a write by its own clock. The text stays as it is. */
function beat(path: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, '{', 0);
  } finally {
    closeSync(file);
  }
}

const claimPath = (folder: string, number: number): string => join(folder, `owner.claim-${number}`);

/** The numbers of the claims on a folder, in ascending order. */
function listNumbers(folder: string): number[] {
  try {
    const numbers = readdirSync(folder).flatMap((name) => /^owner\.claim-([1-9]\d*)$/.exec(name)?.[1] ?? []);
    // Larger numbers have no next one.
    return numbers
      .map(Number)
      .filter((one) => Number.isSafeInteger(one + 1))
      .sort((one, other) => one - other);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** True if a claim was written within the last two minutes, by the clock of the file system. A time in the future shows no life. */
function isFresh(folder: string, number: number): boolean {
  const claim = lstatSync(claimPath(folder, number), { throwIfNoEntry: false });
  if (number === 0 || claim === undefined) return false;
  const probe = join(folder, `owner.time-${randomUUID()}`);
  try {
    writeFileSync(probe, '', { mode: 0o600 });
    return Math.abs(lstatSync(probe).mtimeMs - claim.mtimeMs) < staleMs;
  } catch (error) {
    if (isAbsence(error)) return false; // its holder has just removed the folder
    throw error;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** When the present holder began, as an ISO date. */
function readSince(folder: string): string {
  const number = listNumbers(folder).at(-1) ?? 0;
  try {
    return new Date(Number(asObject(JSON.parse(readRegular(claimPath(folder, number))))['since'])).toISOString();
  } catch {
    return 'an unknown time'; // a claim may be damaged, or gone by now
  }
}

/** Returns an empty string for anything but a small regular file: reading a device or pipe might never end. */
function readRegular(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size < 65_536 ? readFileSync(path, 'utf8') : '';
}

const clearing = new Set<() => void>();
let isListening = false;
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `clear`, to be called once: it also runs when the process ends before, as after Ctrl-C. */
export function atEnd(clear: () => void): () => void {
  clearing.add(clear);
  if (!isListening) {
    // For good: a signal that has arrived is lost when its listener goes before the event loop has come to it.
    isListening = true;
    process.on('exit', clearAll);
    for (const signal of endings) process.on(signal, endBy);
  }
  return () => {
    clearing.delete(clear);
    clear();
  };
}

function clearAll(): void {
  for (const clear of clearing) clear();
  clearing.clear();
}

function endBy(signal: NodeJS.Signals): void {
  // If the program listens too, it decides whether the process goes on.
  if (process.listenerCount(signal) > 1) return;
  try {
    clearAll();
  } finally {
    for (const one of endings) process.off(one, endBy);
    process.kill(process.pid, signal);
  }
}

// The claim goes last, so that a process killed here leaves a folder that is still locked until it is taken over.
function release(folder: string, claim: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path !== claim) rmSync(path, { recursive: true, force: true });
  }
  rmSync(claim, { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error; // held by the next process already
  }
}

export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error));
}
