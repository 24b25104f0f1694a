/** The record of one call. */
export type KeyRecord = {
  /** The idempotency key. For a record that cannot be read, a name by which `remove` finds it. */
  readonly key: string;
  /** A short hash of the id of an admitted request, by which its record is found; the same text for all other calls. */
  readonly group: string;
  /** The call, as text. Missing in a list if the record cannot be read. */
  readonly text?: string | null | undefined;
  /** The program that works on the call and the time of its last heartbeat; empty if no program does. */
  readonly holder?: string | null | undefined;
  /** Why the record cannot be read. */
  readonly reason?: string;
};

/** A place for records, such as a table or a key-value store. Every method resolves when its change would survive a crash. */
export type KeyRecords = {
  /** Returns the record of a key, those of a group, or all, including records that cannot be read. */
  list(of: { readonly key?: string | undefined; readonly group?: string | undefined }): Promise<readonly KeyRecord[]>;
  /** Adds a record. Returns false and changes nothing if the key has one. */
  add(record: KeyRecord & { readonly holder: string }): Promise<boolean>;
  /** Changes group and text of a record; does nothing without one. */
  update(key: string, change: { readonly group: string; readonly text: string }): Promise<void>;
  /** Replaces the holder if it still is `was`, atomically. Returns false otherwise. */
  hold(key: string, holder: string | undefined, was: string | undefined): Promise<boolean>;
  remove(key: string): Promise<void>;
};
