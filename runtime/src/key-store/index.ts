export { createKeyStore, type KeyStoreOptions } from './create-key-store.ts';
export type { KeyRecord, KeyRecords } from './key-records.ts';
