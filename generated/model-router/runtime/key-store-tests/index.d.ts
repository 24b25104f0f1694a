/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export { keyRecordsTests } from './key-records-tests.js';
export { keyStoreTests } from './key-store-tests.js';
export type { PlaceTest } from './place-test.js';
