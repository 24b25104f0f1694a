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

/** What a key store keeps of a call. */
export type KeyRecord = {
  /** The idempotency key. In a list, another name for a record that cannot be read. */
  readonly key: string;
  /** Equal calls have the same; other ones hardly ever do. Of an admitted request, its id decides. */
  readonly group: string;
  /** Nothing in a list says that it cannot be read. */
  readonly text?: string | null | undefined;
  /** Who works on it, and when that program gave its last sign of life; nothing for nobody. */
  readonly holder?: string | null | undefined;
  /** Where the store can tell: `unknown` may be alive. Else the time in `holder` decides. */
  readonly life?: 'alive' | 'unknown' | 'gone';
  /** Why it cannot be read. */
  readonly reason?: string;
};

/**
 * A place that keeps billed calls until their outcome is known, so that none is sent again under a new key. Every method
 * resolves only when the change would survive what the store promises to survive.
 */
export type KeyStore = {
  /** The record of a key, those of a group, or all of them. One that cannot be read is listed too. */
  list(of: { readonly key?: string | undefined; readonly group?: string | undefined }): Promise<readonly KeyRecord[]>;
  /** False, and nothing changes, where there is a record of this key. */
  add(record: KeyRecord & { readonly holder: string }): Promise<boolean>;
  /** Changes group and text of a record. */
  update(key: string, change: { readonly group: string; readonly text: string }): Promise<void>;
  /** Writes `holder` where it still is `was`, in one step; false otherwise. */
  hold(key: string, holder: string | undefined, was: string | undefined): Promise<boolean>;
  remove(key: string): Promise<void>;
};

/** Survives a failed call, not the end of the process. */
export function createMemoryKeyStore(): KeyStore {
  const records = new Map<string, KeyRecord>();
  const isIn = (record: KeyRecord, group: string | undefined): boolean => group === undefined || record.group === group;
  return {
    async list({ key, group }) {
      const found = key === undefined ? [...records.values()] : [records.get(key)];
      return found.filter((one) => one !== undefined).filter((one) => isIn(one, group));
    },
    async add(record) {
      if (records.has(record.key)) return false;
      records.set(record.key, record);
      return true;
    },
    async update(key, change) {
      const record = records.get(key);
      if (record !== undefined) records.set(key, { ...record, ...change });
    },
    async hold(key, holder, was) {
      const record = records.get(key);
      if (record === undefined || (record.holder ?? undefined) !== was) return false;
      records.set(key, { ...record, holder });
      return true;
    },
    async remove(key) {
      records.delete(key);
    },
  };
}
