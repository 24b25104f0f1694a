import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolder, errorCode } from '../../../specs/src/index.ts';
import type { Progress } from '../ports.ts';

/*
 * A folder is locked by a numbered file in it (a claim). The process with the highest number holds the lock. Only one
 * process can create the file of a number, and a process that takes over creates the next number. The holder regularly
 * updates the modification time of its file (the heartbeat) to show that it is alive.
 */

/** A folder locked by this process. If this process is killed, the next process that locks the folder clears it. */
export type FolderLock = {
  readonly folder: string;
  /** Throws if another process has taken over the lock. `isForced: false` skips checks within two seconds of the last one. */
  check(isForced?: boolean): void;
  release(): void;
};

const pollMs = 100;
const noticeMs = 1_000;
const longestWaitMs = 15 * 60_000;
const beatMs = 2_000;
/** Age of a heartbeat after which a lock is stale. Long, because a run can block its event loop for many seconds. */
const staleMs = 2 * 60_000;

/** Locks a folder as soon as no live process holds it. Reports a wait after one second, and throws after 15 minutes. */
export async function lockFolder(folder: string, onProgress?: Progress): Promise<FolderLock> {
  const startedAt = Date.now();
  for (let isReported = false; ; ) {
    const lock = tryLock(folder);
    if (lock !== undefined) return lock;
    const waitedMs = Date.now() - startedAt;
    const since = lstatSync(claimPath(folder, findLatestClaim(folder)), { throwIfNoEntry: false })?.birthtime;
    const notice = `the lock of ${folder}, held since ${since?.toISOString() ?? 'an unknown time'}`;
    if (waitedMs > longestWaitMs) throw new Error(`another process keeps ${notice}`);
    if (waitedMs > noticeMs && !isReported) onProgress?.(`waiting for ${notice}`);
    isReported ||= waitedMs > noticeMs;
    await sleep(pollMs);
  }
}

/** Locks the folder; returns undefined if another process holds it. */
function tryLock(folder: string): FolderLock | undefined {
  createFolder(folder, 0o700);
  const earlier = findLatestClaim(folder);
  if (isFresh(folder, earlier)) return undefined;
  const number = earlier + 1;
  const token = randomUUID();
  const path = claimPath(folder, number);
  try {
    writeFileSync(path, token, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errorCode(error))) return undefined; // another process was faster
    throw error;
  }
  // Check again: if all claims were removed after the first check, another process may have started again with a low number.
  const others = listClaimNumbers(folder).filter((one) => one !== number);
  if (others.some((one) => one > number || isFresh(folder, one))) {
    rmSync(path, { force: true });
    return undefined;
  }
  for (const one of others) rmSync(claimPath(folder, one), { force: true });
  return holdLock(folder, number, token);
}

function holdLock(folder: string, number: number, token: string): FolderLock {
  const path = claimPath(folder, number);
  let beatAt = Date.now();
  /** Updates the heartbeat. Returns false if another process has taken over. */
  const updateHeartbeat = (): boolean => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (findLatestClaim(folder) !== number || !found?.isFile() || readFileSync(path, 'utf8') !== token) return false;
    beatAt = Date.now();
    utimesSync(path, new Date(), new Date());
    return true;
  };
  const timer = setInterval(() => {
    try {
      updateHeartbeat();
    } catch {
      // If the folder was deleted, the next check reports it.
    }
  }, beatMs).unref();
  return {
    folder,
    check(isForced = true) {
      if (!isForced && Date.now() - beatAt < beatMs) return;
      if (!updateHeartbeat())
        throw new Error(
          `another process has taken over ${folder}, because this one did not respond for two minutes: nothing was written; run it again`,
        );
    },
    release: runAtExit(() => {
      clearInterval(timer);
      // Don't clear the folder if another process has taken over.
      if (updateHeartbeat()) clearFolder(folder, path);
    }),
  };
}

// The claim is removed last: if the process is killed here, the folder stays locked until another process takes over.
function clearFolder(folder: string, claim: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path !== claim) rmSync(path, { recursive: true, force: true });
  }
  rmSync(claim, { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error; // Another process already holds the folder.
  }
}

const claimPath = (folder: string, number: number): string => join(folder, `owner.claim-${number}`);

/** Returns the numbers of the claims on a folder in ascending order. */
function listClaimNumbers(folder: string): number[] {
  try {
    // Ignores numbers that are too large to be incremented exactly.
    const numbers = readdirSync(folder).flatMap((name) => /^owner\.claim-([1-9]\d{0,14})$/.exec(name)?.[1] ?? []);
    return numbers.map(Number).sort((one, other) => one - other);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function findLatestClaim(folder: string): number {
  return listClaimNumbers(folder).at(-1) ?? 0;
}

/** True if the heartbeat of a claim is less than two minutes old. A time far in the future doesn't count. */
function isFresh(folder: string, number: number): boolean {
  const claim = lstatSync(claimPath(folder, number), { throwIfNoEntry: false });
  return claim !== undefined && Math.abs(Date.now() - claim.mtimeMs) < staleMs;
}

const pendingClears = new Set<() => void>();
let isListening = false;
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `clear` when the process ends, for example after Ctrl-C. Returns a function that calls it earlier instead. */
export function runAtExit(clear: () => void): () => void {
  pendingClears.add(clear);
  if (!isListening) {
    // These listeners stay: removing one could lose a signal that has arrived but was not handled yet.
    isListening = true;
    process.on('exit', clearAll);
    for (const signal of endSignals) process.on(signal, endBySignal);
  }
  return () => {
    pendingClears.delete(clear);
    clear();
  };
}

function clearAll(): void {
  for (const clear of pendingClears) clear();
  pendingClears.clear();
}

function endBySignal(signal: NodeJS.Signals): void {
  // If the program has its own listener, that listener decides whether the process ends.
  if (process.listenerCount(signal) > 1) return;
  try {
    clearAll();
  } finally {
    for (const one of endSignals) process.off(one, endBySignal);
    process.kill(process.pid, signal);
  }
}

export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error));
}
