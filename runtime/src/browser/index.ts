export { createIndexedDbKeyStore } from './indexed-db-key-store.ts';
