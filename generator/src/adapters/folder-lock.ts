import { randomUUID } from 'node:crypto';
import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beat, type Claim, follow, keepAlive, readClaim } from '../../../runtime/src/node/claim.ts';
import { errorCode, makeFolder } from '../../../specs/src/index.ts';
import type { Progress } from '../ports.ts';
import { systemClock } from './system-clock.ts';

/** A folder that one process holds at a time. What lies in it outlives a killed holder, for the next one to clear up. */
type FolderLock = { readonly folder: string; release(): void };

const pollMs = 20;
const noticeMs = 1_000;
const longestWaitMs = 15 * 60_000;

/** Waits until no live process holds the folder, and says so after a second. Throws after a quarter of an hour. */
export async function lockFolder(folder: string, say?: Progress): Promise<FolderLock> {
  const startedAt = systemClock.now();
  for (let isSaid = false; ; ) {
    const found = await tryLock(folder);
    if ('release' in found) return found;
    const waitedMs = systemClock.now() - startedAt;
    const notice = `the lock of ${folder}, held since ${new Date(found.since).toISOString()}`;
    if (waitedMs > longestWaitMs) throw new Error(`another process keeps ${notice}`);
    if (waitedMs > noticeMs && !isSaid) say?.(`waiting for ${notice}`);
    isSaid ||= waitedMs > noticeMs;
    await systemClock.sleep(pollMs);
  }
}

/** The lock, or who has it. */
async function tryLock(folder: string): Promise<FolderLock | Claim> {
  attempts++;
  listenForEnd();
  try {
    return await attemptLock(folder);
  } finally {
    attempts--;
    if (due !== undefined) endBy(due);
  }
}

async function attemptLock(folder: string): Promise<FolderLock | Claim> {
  const place = { folder, name: 'owner' };
  makeFolder(folder, 0o700);
  const earlier = await readClaim(place);
  if (earlier.life !== 'gone') return earlier;
  const isOurs = await follow(place, earlier, randomUUID()).catch((error: unknown) => {
    if (isAbsence(error)) return false; // its holder has just removed the folder
    throw error;
  });
  if (!isOurs) return earlier;
  const stop = keepAlive(() => beat(place, { number: earlier.number + 1 }));
  const clear = (): void => {
    void stop();
    release(folder, `owner.claim-${earlier.number + 1}`);
  };
  return { folder, release: atEnd(clear) };
}

const clearing = new Set<() => void>();
/** Half a claim would be taken for that of another machine: the process ends once no attempt is under way. */
let attempts = 0;
let due: NodeJS.Signals | undefined;
let isListening = false;
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `clear`, to be called once: it also runs when the process ends before, as after Ctrl-C. */
export function atEnd(clear: () => void): () => void {
  clearing.add(clear);
  listenForEnd();
  return () => {
    clearing.delete(clear);
    clear();
  };
}

/** For good: a signal that has arrived is lost when its listener goes before the event loop has come to it. */
function listenForEnd(): void {
  if (isListening) return;
  isListening = true;
  process.on('exit', clearAll);
  for (const signal of endings) process.on(signal, endBy);
}

function clearAll(): void {
  for (const clear of clearing) clear();
  clearing.clear();
}

function endBy(signal: NodeJS.Signals): void {
  // Where somebody else listens, the process may go on.
  if (process.listenerCount(signal) > 1) return;
  due = signal;
  if (attempts > 0) return;
  try {
    clearAll();
  } finally {
    for (const one of endings) process.off(one, endBy);
    process.kill(process.pid, signal);
  }
}

// The claim goes last, so that a process killed here leaves a folder that still names its dead owner.
function release(folder: string, claim: string): void {
  for (const name of readdirSync(folder))
    if (name !== claim) rmSync(join(folder, name), { recursive: true, force: true });
  rmSync(join(folder, claim), { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error; // held by the next process already
  }
}

export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error));
}
