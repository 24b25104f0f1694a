/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export { AssetError, downloadAsset } from './download-asset.js';
export { findAssets } from './find-assets.js';
export { toDataUrl } from './to-data-url.js';
