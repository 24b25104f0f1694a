/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export { createFileKeyStore } from './file-key-store.js';
export { saveAsset } from './save-asset.js';
export { toNodeHandler } from './to-node-handler.js';
