export { createFileKeyStore } from './file-key-store.ts';
export { type SavedAsset, type SaveOptions, saveAsset } from './save-asset.ts';
export { toNodeHandler } from './to-node-handler.ts';
