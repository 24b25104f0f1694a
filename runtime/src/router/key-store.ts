import { type Clock, systemClock, wakeIn } from '../http/clock.ts';
import type { QueuedAddresses } from './response-facts.ts';

/** A billed call as it has to be sent again: the same key with the same method, address and bytes. */
export type StoredCall = {
  readonly idempotencyKey: string;
  readonly operation: 'run' | 'submit';
  readonly model: string;
  /** With its query. */
  readonly url: string;
  /** The exact text of the body. A store drops it in time; an admitted request needs none. */
  readonly body?: string;
  /** The hash of a body that the store dropped: the next attempt needs the same body. */
  readonly bodyHash?: string;
  /** The owner: the credential's scope, its fingerprint, or a client; never the credential. */
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly firstSentAt: number;
  /** True where the caller gave the key. Such a record stays after a result, so that the key starts no second run. */
  readonly isExplicit: boolean;
  /** Where equal calls may be taken up: the scope that the program gave. */
  readonly recoverScope?: string;
  /** Its caller gave it up. */
  readonly wasAborted?: boolean;
  /** Its caller has the result. */
  readonly isDone?: boolean;
  /** Set when the request was admitted to the queue. */
  readonly queued?: QueuedAddresses;
};

/** A stored call without a known outcome, or one that its caller has not settled. */
export type ListedCall =
  | (StoredCall & {
      /** Another program may work on it. Resuming it is safe: it is sent with its own key. */
      readonly isHeld: boolean;
      readonly damaged?: undefined;
    })
  | DamagedCall;
export type DamagedCall = {
  /** The name of a record that cannot be read. `forget` removes it. */
  readonly idempotencyKey: string;
  /** Why it cannot be read. */
  readonly damaged: string;
  readonly operation?: undefined;
  readonly model?: undefined;
  readonly isHeld?: undefined;
};
/**
 * Remembers billed calls by their keys. Every method resolves only when the change would survive what the store promises to survive.
 */
export type KeyStore = {
  /**
   * Records a call before it is sent. Where there is a record of its key, `stored` is that, and it does not change where it is another
   * call. With a `recoverScope` and no key of the caller's, an equal call of that scope is continued if its outcome is unknown, its caller
   * did not abort it, and this program does not work on it.
   */
  begin(call: StoredCall): Promise<{ readonly stored: StoredCall; readonly isNew: boolean }>;
  /** Continues a call; undefined if it is gone, this program works on it, or another program was faster. */
  take(idempotencyKey: string): Promise<StoredCall | undefined>;
  /** The call was admitted to the queue. */
  admit(idempotencyKey: string, queued: QueuedAddresses): Promise<void>;
  /** The caller has the result and settles it later: until then the call is pending. */
  keepListed(idempotencyKey: string): Promise<void>;
  /** The caller has the result, or there will be none. A record of an explicit key stays, without its body. */
  finish(idempotencyKey: string): Promise<void>;
  /** The same for a queued request whose key the caller has not kept. */
  finishQueued(requestId: string): Promise<void>;
  /** The outcome is unknown, and this program no longer works on the call. */
  release(idempotencyKey: string, options?: { readonly wasAborted?: boolean }): Promise<void>;
  /** Removes a record. A damaged one has a name in place of a key. */
  forget(idempotencyKey: string): Promise<void>;
  /** Calls without an outcome that this program does not work on, oldest first. */
  pending(): Promise<readonly ListedCall[]>;
};

/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export const keyLifetimeMs = 24 * 60 * 60 * 1000;
/** How long a call without an outcome is listed, although its key leads to nothing after the first day. */
export const listedMs = 2 * keyLifetimeMs;

/** True if both are one logical run, of which one may be without its body. */
export function isSameCall(one: StoredCall, other: StoredCall): boolean {
  const isSameRequest = one.operation === other.operation && one.url === other.url && one.owner === other.owner;
  // An admitted request needs no body, and is identified by its key: the service compares the bodies.
  if (!isSameRequest || one.body === other.body) return isSameRequest;
  const [first, second] = [hashOf(one), hashOf(other)];
  return first === undefined || second === undefined || first === second;
}

const hashOf = ({ body, bodyHash }: StoredCall): string | undefined => (body === undefined ? bodyHash : hashText(body));

/** Equal calls of one scope are in one group; different ones almost never are. */
export function groupOf({ operation, url, owner, body = '', recoverScope = '' }: StoredCall): string {
  return hashText([operation, url, owner, recoverScope, body].join(' '));
}

/** True if an equal call may continue this one. */
export const isRecoverable = (found: StoredCall, wanted: StoredCall): boolean =>
  found.recoverScope === wanted.recoverScope &&
  found.body !== undefined &&
  !found.isDone &&
  !found.wasAborted &&
  isSameCall(found, wanted);

/** The call with a hash in place of its body. */
export function letBodyGo(call: StoredCall): StoredCall {
  const { body, ...rest } = call;
  return body === undefined ? call : { ...rest, bodyHash: hashText(body) };
}

/** An admitted request is collected by its addresses; submitting it again takes the same body. */
export const admitCall = (call: StoredCall, queued: QueuedAddresses): StoredCall => ({ ...letBodyGo(call), queued });

/** 64 bits against accidents, not against attackers: SHA-256 is asynchronous, and some platforms have none. */
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
  /** Maximum number of calls, 200,000 by default. A full store refuses new calls. */
  readonly maxCalls?: number;
  readonly clock?: Clock;
};

/** How long, and how many characters of, bodies are kept after their calls have ended without an outcome. */
const idleBodyMs = 10 * 60_000;
const idleBodySize = 16 * 1024 * 1024;

/** A store that survives a failed call, but not the end of the process. */
export function createMemoryKeyStore({
  maxCalls = 200_000,
  clock = systemClock,
}: MemoryKeyStoreOptions = {}): KeyStore {
  /** `users`: the number of calls of this program that work on it. */
  type Kept = { call: StoredCall; users: number; isListed: boolean };
  const calls = new Map<string, Kept>(); // the oldest first
  const keysOfRequests = new Map<string, string>();
  const keysOfGroups = new Map<string, string>(); // of idle calls that equal ones may take up
  const idleBodies = new Map<string, number>(); // the oldest first, with the time of its end
  let idleSize = 0;
  let stopTimer = (): void => undefined;

  const unindex = (key: string, { call }: Kept): void => {
    if (idleBodies.delete(key)) idleSize -= call.body?.length ?? 0;
    if (call.recoverScope !== undefined && keysOfGroups.get(groupOf(call)) === key) keysOfGroups.delete(groupOf(call));
  };
  const change = (key: string, kept: Kept, call: StoredCall): void => {
    unindex(key, kept);
    kept.call = call;
  };
  const remove = (key: string): void => {
    const kept = calls.get(key);
    if (kept === undefined) return;
    unindex(key, kept);
    if (kept.call.queued !== undefined) keysOfRequests.delete(kept.call.queued.requestId);
    calls.delete(key);
  };
  const finish = (key: string): void => {
    const kept = calls.get(key);
    if (kept === undefined) return;
    if (kept.call.isExplicit) {
      change(key, kept, { ...letBodyGo(kept.call), isDone: true });
      Object.assign(kept, { users: Math.max(0, kept.users - 1), isListed: false });
    } else remove(key);
  };
  /** Drops what is too old or too much. */
  const tidy = (): void => {
    const now = clock.now();
    for (const [key, endedAt] of idleBodies) {
      if (now - endedAt < idleBodyMs && idleSize <= idleBodySize) break;
      const kept = calls.get(key);
      if (kept !== undefined) change(key, kept, letBodyGo(kept.call));
    }
    for (const [key, { call, users }] of calls) {
      if (now < call.firstSentAt + listedMs || users > 0) break;
      remove(key);
    }
    stopTimer();
    stopTimer = idleBodies.size > 0 ? wakeIn(idleBodyMs, tidy) : () => undefined;
  };
  return {
    async begin(call) {
      tidy();
      const equal = call.recoverScope === undefined || call.isExplicit ? undefined : keysOfGroups.get(groupOf(call));
      const key = equal ?? call.idempotencyKey;
      const kept = calls.get(key);
      if (kept === undefined) {
        if (calls.size >= maxCalls)
          throw new Error(
            `it is full: it remembers ${maxCalls} calls for two days; forget some, or give it more maxCalls`,
          );
        calls.set(key, { call, users: 1, isListed: false });
        return { stored: call, isNew: true };
      }
      if (!isSameCall(kept.call, call)) return { stored: kept.call, isNew: false };
      const { isDone, queued } = kept.call;
      const body = isDone || queued !== undefined || call.body === undefined ? {} : { body: call.body };
      const isExplicit = kept.call.isExplicit || call.isExplicit;
      change(key, kept, { ...kept.call, ...body, isExplicit, wasAborted: false });
      kept.users += 1;
      return { stored: kept.call, isNew: false };
    },
    async take(key) {
      tidy();
      const kept = calls.get(key);
      if (kept === undefined || (kept.users > 0 && !kept.isListed)) return undefined;
      unindex(key, kept);
      kept.users += 1;
      return kept.call;
    },
    async admit(key, queued) {
      const kept = calls.get(key);
      if (kept === undefined) return;
      keysOfRequests.set(queued.requestId, key);
      change(key, kept, admitCall(kept.call, queued));
    },
    async keepListed(key) {
      const kept = calls.get(key);
      if (kept !== undefined) kept.isListed = true;
    },
    finish: async (key) => finish(key),
    finishQueued: async (requestId) => finish(keysOfRequests.get(requestId) ?? ''),
    async release(key, { wasAborted = false } = {}) {
      const kept = calls.get(key);
      if (kept === undefined) return;
      kept.users = Math.max(0, kept.users - 1);
      if (wasAborted) kept.call = { ...kept.call, wasAborted };
      const { call, users } = kept;
      if (users > 0 || call.body === undefined) return;
      if (!idleBodies.has(key)) idleSize += call.body.length;
      idleBodies.set(key, clock.now());
      if (call.recoverScope !== undefined && !call.wasAborted) keysOfGroups.set(groupOf(call), key);
      tidy();
    },
    forget: async (key) => remove(key),
    async pending() {
      tidy();
      return [...calls.values()]
        .filter(({ call, users, isListed }) => !call.isDone && (users === 0 || isListed))
        .map(({ call }) => ({ ...call, isHeld: false }))
        .sort((one, other) => one.firstSentAt - other.firstSentAt);
    },
  };
}
