import { type Clock, systemClock } from '../http/clock.ts';
import type { QueuedAddresses } from './response-facts.ts';

/** A billed call with everything that another attempt needs: the same key, URL and bytes. */
export type StoredCall = {
  readonly idempotencyKey: string;
  readonly operation: 'run' | 'submit';
  readonly model: string;
  /** Includes the query. */
  readonly url: string;
  /** Exact text of the body. A store drops the body after some time, and when the request is admitted. */
  readonly body?: string;
  /** Hash of a body that the store dropped. */
  readonly bodyHash?: string;
  /** Scope or fingerprint of the credential, or a random name for one client; never the credential itself. */
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly firstSentAt: number;
  /** True if the caller chose the key. Its record stays after a result, so that the key doesn't start a second run. */
  readonly isExplicit: boolean;
  /** True if the caller has the result. */
  readonly isDone?: boolean;
  /** Set once the request is in the queue. */
  readonly queued?: QueuedAddresses;
};

/** A stored call whose outcome is unknown, or for whose result `settle()` was not called yet. */
export type ListedCall =
  | (StoredCall & {
      /** True if another program may work on the call. Resuming it is safe, because it is sent with its own key. */
      readonly isHeld: boolean;
      readonly damaged?: undefined;
    })
  | DamagedCall;
export type DamagedCall = {
  /** Name of an unreadable record. `forget` removes it. */
  readonly idempotencyKey: string;
  /** Reason why the record is unreadable. */
  readonly damaged: string;
  readonly operation?: undefined;
  readonly model?: undefined;
  readonly isHeld?: undefined;
};

/** Keeps billed calls by their keys. Every method resolves when its change is as durable as the store promises. */
export type KeyStore = {
  /**
   * Records a call before it is sent, or returns the record of its key. Doesn't change the record of a different call.
   */
  begin(call: StoredCall): Promise<{ readonly stored: StoredCall; readonly isNew: boolean }>;
  /** Starts work on a stored call. Returns undefined if the call is gone, or if this or another program works on it. */
  take(idempotencyKey: string): Promise<StoredCall | undefined>;
  /** Records that the call was admitted to the queue. */
  admit(idempotencyKey: string, queued: QueuedAddresses): Promise<void>;
  /** Ends a call with a known outcome. A record with an explicit key stays, without its body. */
  finish(idempotencyKey: string): Promise<void>;
  /** Ends a caller's work on a call whose outcome is unknown, or whose result is not settled yet. */
  release(idempotencyKey: string): Promise<void>;
  /**
   * Ends a caller's work that started no run. Removes the record after the last caller, unless another call with the key
   * was released or finished, or another program works on it.
   */
  discard(idempotencyKey: string): Promise<void>;
  /** Removes a record by its key, or a damaged record by its name. */
  forget(idempotencyKey: string): Promise<void>;
  /** Lists calls without an outcome that this program doesn't work on, oldest first. */
  pending(): Promise<readonly ListedCall[]>;
};

// The service keeps results for 24 hours, and starts a new run for an older key (MR-IDM-46, MR-IDM-49).
export const keyLifetimeMs = 86_400_000;
/** Calls without an outcome are listed for two days. */
export const listedMs = 2 * keyLifetimeMs;

/** True if both records describe the same run; one of them may only have the hash of the body. */
export function isSameCall(one: StoredCall, other: StoredCall): boolean {
  const isSameRequest = one.operation === other.operation && one.url === other.url && one.owner === other.owner;
  if (!isSameRequest || one.body === other.body) return isSameRequest;
  const [first, second] = [hashOf(one), hashOf(other)];
  // If either has neither a body nor a hash, the key identifies the call, and the service compares the bodies.
  return first === undefined || second === undefined || first === second;
}

const hashOf = ({ body, bodyHash }: StoredCall): string | undefined => (body === undefined ? bodyHash : hashText(body));

export function dropBody(call: StoredCall): StoredCall {
  const { body, ...rest } = call;
  return body === undefined ? call : { ...rest, bodyHash: hashText(body) };
}

/** Returns the record to keep once the outcome is known: without its body if the key is explicit, else none. */
export const toFinishedCall = (call: StoredCall): StoredCall | undefined =>
  call.isExplicit ? { ...dropBody(call), isDone: true } : undefined;

export const toAdmittedCall = (call: StoredCall, queued: QueuedAddresses): StoredCall => ({
  ...dropBody(call),
  queued,
});

/** Returns a 64-bit hash that is not secure: SHA-256 is asynchronous, and some platforms lack it. */
export function hashText(text: string): string {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    two = Math.imul(two ^ unit, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
  two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

export type MemoryKeyStoreOptions = {
  /** Maximum number of calls. A full store rejects new ones. Default: 200,000. */
  readonly maxCalls?: number;
  readonly clock?: Clock;
};

/** Maximum characters in all stored bodies of calls that ended without an outcome. The oldest are dropped first. */
const maxIdleBodySize = 16 * 1024 * 1024;
const maxIdleBodyMs = 600_000;

/** Creates an in-memory store, which is lost with the process. */
export function createMemoryKeyStore({
  maxCalls = 200_000,
  clock = systemClock,
}: MemoryKeyStoreOptions = {}): KeyStore {
  /** `mayHaveRun`: a run may have been started with the key, so that the record must stay. */
  type Entry = { call: StoredCall; users: number; mayHaveRun: boolean };
  const entries = new Map<string, Entry>(); // Oldest first.
  // When calls that have a body ended without an outcome, by key, oldest first.
  const idleBodies = new Map<string, number>();
  let idleSize = 0;

  /** Replaces the call of an entry, or removes the entry. */
  const change = (entry: Entry, call?: StoredCall): void => {
    const { idempotencyKey: key, body = '' } = entry.call;
    if (idleBodies.delete(key)) idleSize -= body.length;
    if (call !== undefined) entry.call = call;
    else entries.delete(key);
  };
  const dropIdleBodies = (): void => {
    for (const [key, endedAt] of idleBodies) {
      if (idleSize <= maxIdleBodySize && clock.now() < endedAt + maxIdleBodyMs) break;
      const entry = entries.get(key);
      if (entry !== undefined) change(entry, dropBody(entry.call));
    }
  };
  const removeOld = (): void => {
    dropIdleBodies();
    for (const entry of entries.values()) {
      if (clock.now() < entry.call.firstSentAt + listedMs || entry.users > 0) break;
      change(entry);
    }
  };
  const release = async (key: string): Promise<void> => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entry.users = Math.max(0, entry.users - 1);
    entry.mayHaveRun = true;
    const { body } = entry.call;
    if (entry.users > 0 || body === undefined || idleBodies.has(key)) return;
    idleBodies.set(key, clock.now());
    idleSize += body.length;
    dropIdleBodies();
  };
  return {
    async begin(call) {
      removeOld();
      const { idempotencyKey: key, body } = call;
      const entry = entries.get(key);
      if (entry === undefined) {
        if (entries.size >= maxCalls)
          throw new Error(`it is full (${maxCalls} calls in two days): forget some, or set a larger maxCalls`);
        entries.set(key, { call, users: 1, mayHaveRun: false });
        return { stored: call, isNew: true };
      }
      const { call: stored } = entry;
      if (!isSameCall(stored, call)) return { stored, isNew: false };
      const isExplicit = stored.isExplicit || call.isExplicit;
      const needsBody = !stored.isDone && stored.queued === undefined && body !== undefined;
      change(entry, { ...stored, ...(needsBody ? { body } : {}), isExplicit });
      entry.users += 1;
      return { stored: entry.call, isNew: false };
    },
    async take(key) {
      removeOld();
      const entry = entries.get(key);
      if (entry === undefined || entry.users > 0) return undefined;
      change(entry, entry.call); // Its body is in use again.
      entry.users += 1;
      return entry.call;
    },
    async admit(key, queued) {
      const entry = entries.get(key);
      if (entry !== undefined) change(entry, toAdmittedCall(entry.call, queued));
    },
    async finish(key) {
      const entry = entries.get(key);
      if (entry === undefined) return;
      change(entry, toFinishedCall(entry.call));
      await release(key); // Does nothing if the entry is gone.
    },
    release,
    async discard(key) {
      const entry = entries.get(key);
      if (entry?.mayHaveRun) return release(key);
      if (entry === undefined) return;
      entry.users -= 1;
      if (entry.users === 0) change(entry);
    },
    async forget(key) {
      const entry = entries.get(key);
      if (entry !== undefined) change(entry);
    },
    async pending() {
      removeOld();
      return [...entries.values()]
        .filter(({ call, users }) => !call.isDone && users === 0)
        .map(({ call }) => ({ ...call, isHeld: false }))
        .sort((one, other) => one.firstSentAt - other.firstSentAt);
    },
  };
}
