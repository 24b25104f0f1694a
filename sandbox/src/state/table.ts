import type { Bytes } from '../digest.ts';

/** A value, and bytes that need not be read with it. */
export type StoredEntry<T> = { value: T; body: string | Bytes | undefined };
export type Table<T> = {
  get(id: string): T | undefined;
  getEntry(id: string): StoredEntry<T> | undefined;
  put(id: string, at: number, entry: { value: T; body?: string | Bytes | undefined }): void;
  /** Oldest first. */
  each(): Iterable<T>;
  forgetBefore(at: number): void;
};

/** Keeps the world's records. The changes of a `transaction` are stored as a whole or not at all, also after a kill. */
export type Store = {
  table<T extends object>(name: string): Table<T>;
  transaction<T>(change: () => T): T;
  clear(): void;
  close(): void;
};
