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
  /** Ends this program's work on a call whose outcome is unknown, or whose result is not settled yet. */
  release(idempotencyKey: string): Promise<void>;
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

export const admitCall = (call: StoredCall, queued: QueuedAddresses): StoredCall => ({ ...dropBody(call), queued });

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

/** Maximum characters in the stored bodies of calls that ended without an outcome. The oldest are dropped first. */
const maxIdleBodySize = 16 * 1024 * 1024;

/** Creates an in-memory store, which is lost with the process. */
export function createMemoryKeyStore({
  maxCalls = 200_000,
  clock = systemClock,
}: MemoryKeyStoreOptions = {}): KeyStore {
  type Kept = { call: StoredCall; users: number };
  const calls = new Map<string, Kept>(); // Oldest first.
  const idleBodies = new Set<string>(); // Keys of calls that ended without an outcome and have a body, oldest first.
  let idleSize = 0;

  const change = (keptCall: Kept, call?: StoredCall): void => {
    const { idempotencyKey: key, body = '' } = keptCall.call;
    if (idleBodies.delete(key)) idleSize -= body.length;
    if (call !== undefined) keptCall.call = call;
    else calls.delete(key);
  };
  const removeOld = (): void => {
    for (const keptCall of calls.values()) {
      if (clock.now() < keptCall.call.firstSentAt + listedMs || keptCall.users > 0) break;
      change(keptCall);
    }
  };
  return {
    async begin(call) {
      removeOld();
      const keptCall = calls.get(call.idempotencyKey);
      if (keptCall === undefined) {
        if (calls.size >= maxCalls)
          throw new Error(`it is full (${maxCalls} calls in two days): forget some, or set a larger maxCalls`);
        calls.set(call.idempotencyKey, { call, users: 1 });
        return { stored: call, isNew: true };
      }
      if (!isSameCall(keptCall.call, call)) return { stored: keptCall.call, isNew: false };
      const { isDone, queued } = keptCall.call;
      const body = isDone || queued !== undefined || call.body === undefined ? {} : { body: call.body };
      const isExplicit = keptCall.call.isExplicit || call.isExplicit;
      change(keptCall, { ...keptCall.call, ...body, isExplicit });
      keptCall.users += 1;
      return { stored: keptCall.call, isNew: false };
    },
    async take(key) {
      removeOld();
      const keptCall = calls.get(key);
      if (keptCall === undefined || keptCall.users > 0) return undefined;
      change(keptCall, keptCall.call);
      keptCall.users += 1;
      return keptCall.call;
    },
    async admit(key, queued) {
      const keptCall = calls.get(key);
      if (keptCall === undefined) return;
      change(keptCall, admitCall(keptCall.call, queued));
    },
    async finish(key) {
      const keptCall = calls.get(key);
      if (keptCall === undefined) return;
      change(keptCall, keptCall.call.isExplicit ? { ...dropBody(keptCall.call), isDone: true } : undefined);
      keptCall.users = Math.max(0, keptCall.users - 1);
    },
    async release(key) {
      const keptCall = calls.get(key);
      if (keptCall === undefined) return;
      keptCall.users = Math.max(0, keptCall.users - 1);
      const { call, users } = keptCall;
      if (users > 0 || call.body === undefined || idleBodies.has(key)) return;
      idleBodies.add(key);
      idleSize += call.body.length;
      for (const oldest of idleBodies) {
        if (idleSize <= maxIdleBodySize) break;
        const other = calls.get(oldest);
        if (other !== undefined) change(other, dropBody(other.call));
      }
    },
    async forget(key) {
      const keptCall = calls.get(key);
      if (keptCall !== undefined) change(keptCall);
    },
    async pending() {
      removeOld();
      return [...calls.values()]
        .filter(({ call, users }) => !call.isDone && users === 0)
        .map(({ call }) => ({ ...call, isHeld: false }))
        .sort((one, other) => one.firstSentAt - other.firstSentAt);
    },
  };
}
