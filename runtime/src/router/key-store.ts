import type { QueuedAddresses } from './router-error.ts';

/** A billed call as it has to be sent again: the same key with the same method, address and bytes. */
export type StoredCall = {
  readonly key: string;
  readonly operation: 'run' | 'submit';
  readonly model: string;
  /** With its query. */
  readonly url: string;
  /** The exact text of the body; empty once the queue admitted the request, which is collected by its addresses. */
  readonly body: string;
  /** Who sent it first: the credential's scope, or its fingerprint; never the credential. */
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly firstSentAt: number;
  /** Of a request that was admitted to the queue. */
  readonly queued?: QueuedAddresses;
};

/** A billed call whose outcome nobody knows yet, or one that its caller has not settled. */
export type PendingCall =
  | (StoredCall & {
      /** Another program may work on it. To resume it is safe all the same: the service is asked with its own key. */
      readonly isHeld: boolean;
      readonly damaged?: undefined;
    })
  | {
      /** The name of a record that cannot be read. Calls that may be this one are refused until `forget` removes it. */
      readonly key: string;
      /** Why it cannot be read. */
      readonly damaged: string;
      readonly operation?: undefined;
      readonly model?: undefined;
      readonly isHeld?: undefined;
    };

/**
 * Remembers billed calls until their outcome is known, so that none is sent again under a new key.
 * Every method resolves only when the change would survive what the store promises to survive.
 */
export type KeyStore = {
  /**
   * Records a call before it is sent. Where `adopt` is true and no program that is known to live works on an equal call with an
   * unknown outcome, that one is gone on with, and `isNew` is false; so it is where the key is in the store already, as with `take`.
   */
  begin(
    call: StoredCall,
    options: { readonly adopt: boolean },
  ): Promise<{ readonly stored: StoredCall; readonly isNew: boolean }>;
  /** Goes on with a call; undefined where it is gone or a program that is known to live works on it. */
  take(key: string): Promise<StoredCall | undefined>;
  /** The call was admitted to the queue. */
  admit(key: string, queued: QueuedAddresses): Promise<void>;
  /** The caller has the result and says later that it is done with it: until then the call is pending. */
  keepListed(key: string): Promise<void>;
  /** The outcome is known, or nobody wants it; the call is forgotten. A damaged record has a name in place of a key. */
  finish(key: string): Promise<void>;
  /** The same for a queued request whose key the caller has not kept. */
  finishQueued(requestId: string): Promise<void>;
  /** The outcome is unknown, and this program no longer works on the call. */
  release(key: string): Promise<void>;
  /** All but those that a program works on that is known to live, oldest first. */
  pending(): Promise<readonly PendingCall[]>;
};

/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export const keyLifetimeMs = 24 * 60 * 60 * 1000;

/** Whether both calls would be one logical run. */
export function isSameCall(one: StoredCall, other: StoredCall): boolean {
  return (
    one.operation === other.operation && one.url === other.url && one.body === other.body && one.owner === other.owner
  );
}

/** Its addresses are all that collects an admitted request. */
export function admitCall(call: StoredCall, queued: QueuedAddresses): StoredCall {
  return { ...call, body: '', queued };
}

/** Survives a failed call, not the end of the process. */
export function createMemoryKeyStore(): KeyStore {
  type Kept = { readonly call: StoredCall; readonly state: 'held' | 'listed' | 'idle' };
  const calls = new Map<string, Kept>();
  const change = async (key: string, to: Partial<Kept>): Promise<void> => {
    Object.assign(calls.get(key) ?? {}, to);
  };
  return {
    async begin(call, { adopt }) {
      // A day after its key a call is refused when it is made again, and then nobody misses it.
      for (const [key, { call: old }] of calls)
        if (old.firstSentAt + 2 * keyLifetimeMs < call.firstSentAt) calls.delete(key);
      const earlier = adopt
        ? [...calls.values()].find((one) => one.state === 'idle' && isSameCall(one.call, call))
        : calls.get(call.key);
      const stored = earlier?.call ?? call;
      calls.set(stored.key, { call: stored, state: 'held' });
      return { stored, isNew: earlier === undefined };
    },
    async take(key) {
      const found = calls.get(key);
      if (found?.state === 'held') return undefined;
      void change(key, { state: 'held' });
      return found?.call;
    },
    async admit(key, queued) {
      const found = calls.get(key);
      if (found !== undefined) void change(key, { call: admitCall(found.call, queued) });
    },
    keepListed: (key) => change(key, { state: 'listed' }),
    finish: async (key) => void calls.delete(key),
    async finishQueued(requestId) {
      for (const [key, { call }] of calls) if (call.queued?.requestId === requestId) calls.delete(key);
    },
    release: (key) => change(key, { state: 'idle' }),
    async pending() {
      const idle = [...calls.values()].filter(({ state }) => state !== 'held');
      return idle
        .map(({ call }) => ({ ...call, isHeld: false }))
        .sort((one, other) => one.firstSentAt - other.firstSentAt);
    },
  };
}
