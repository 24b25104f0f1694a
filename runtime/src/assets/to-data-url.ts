import { AssetError } from './download-asset.ts';

/**
 * A file as text, for an input that takes an address: `data:image/png;base64,…`. The API names no ceiling, and models differ, so the caller
 * sets one.
 */
export async function toDataUrl(blob: Blob, { maxBytes }: { readonly maxBytes: number }): Promise<string> {
  if (blob.size > maxBytes) throw new AssetError(`the file has ${blob.size} bytes, and maxBytes is ${maxBytes}`);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = '';
  // In parts, since a call takes only so many arguments.
  for (let from = 0; from < bytes.length; from += partSize)
    binary += String.fromCharCode(...bytes.subarray(from, from + partSize));
  return `data:${blob.type || 'application/octet-stream'};base64,${btoa(binary)}`;
}

const partSize = 8192;
