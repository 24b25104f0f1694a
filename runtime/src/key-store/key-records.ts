/** What is kept of a call. */
export type KeyRecord = {
  /** The idempotency key. In a list, another name for a record that cannot be read. */
  readonly key: string;
  /** Equal calls have the same; other ones hardly ever do. Of an admitted request, its id decides. */
  readonly group: string;
  /** Nothing in a list says that it cannot be read. */
  readonly text?: string | null | undefined;
  /** Who works on it, and when that program gave its last sign of life; nothing for nobody. */
  readonly holder?: string | null | undefined;
  /** Where that can be told: `unknown` may be alive. Else the time in `holder` decides. */
  readonly life?: 'alive' | 'unknown' | 'gone';
  /** Why it cannot be read. */
  readonly reason?: string;
};

/** Where records are kept, such as a table or a key-value store. Every method resolves when the change would last. */
export type KeyRecords = {
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
