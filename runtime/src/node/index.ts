export { createFileKeyStore } from './file-key-store.ts';
