/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export { createKeyStore, type KeyStoreOptions } from './create-key-store.js';
export type { KeyRecord, KeyRecords } from './key-records.js';
