import { AssetError } from './download-asset.ts';

export { AssetError, type AssetStream, type DownloadOptions, downloadAsset } from './download-asset.ts';
export { type Asset, findAssets } from './find-assets.ts';

/** Converts a file to a `data:` URL for an input. Throws an `AssetError` if it is larger than `maxBytes`. */
export async function toDataUrl(blob: Blob, { maxBytes }: { readonly maxBytes: number }): Promise<string> {
  if (blob.size > maxBytes) throw new AssetError(`the file has ${blob.size} bytes, and maxBytes is ${maxBytes}`);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  const partSize = 8192;
  // In parts, because the number of arguments of a call is limited.
  for (let from = 0; from < bytes.length; from += partSize)
    binary += String.fromCharCode(...bytes.subarray(from, from + partSize));
  return `data:${blob.type || 'application/octet-stream'};base64,${btoa(binary)}`;
}
