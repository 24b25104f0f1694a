export { keyRecordsTests } from './key-records-tests.ts';
export { keyStoreTests } from './key-store-tests.ts';
export type { PlaceTest } from './place-test.ts';
