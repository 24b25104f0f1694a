/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export { AssetError, type AssetStream, type DownloadOptions, downloadAsset } from './download-asset.js';
export { type Asset, type FindOptions, findAssets, type Hosting } from './find-assets.js';
export { toDataUrl } from './to-data-url.js';
