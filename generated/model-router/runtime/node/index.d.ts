export { createFileKeyStore } from './file-key-store.js';
