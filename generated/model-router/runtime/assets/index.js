/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { AssetError } from './download-asset.js';
export { AssetError, downloadAsset } from './download-asset.js';
export { findAssets } from './find-assets.js';
/** Converts a file to a `data:` URL for an input. Throws an `AssetError` if it is larger than `maxBytes`. */
export async function toDataUrl(blob, { maxBytes }) {
    if (blob.size > maxBytes)
        throw new AssetError(`the file has ${blob.size} bytes, and maxBytes is ${maxBytes}`);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let binary = '';
    const partSize = 8192;
    // In parts, because the number of arguments of a call is limited.
    for (let from = 0; from < bytes.length; from += partSize)
        binary += String.fromCharCode(...bytes.subarray(from, from + partSize));
    return `data:${blob.type || 'application/octet-stream'};base64,${btoa(binary)}`;
}
