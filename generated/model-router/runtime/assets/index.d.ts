/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export { AssetError, type AssetStream, type DownloadOptions, downloadAsset } from './download-asset.js';
export { type Asset, findAssets } from './find-assets.js';
/** Converts a file to a `data:` URL for an input. Throws an `AssetError` if it is larger than `maxBytes`. */
export declare function toDataUrl(blob: Blob, { maxBytes }: {
    readonly maxBytes: number;
}): Promise<string>;
