import { parseUrl } from '../http/base-url.ts';

/** A part of an output that can be saved as a file. */
export type Asset = {
  /** Path in the output, outermost step first; a number is an index. Computed on each read. */
  readonly path: readonly (string | number)[];
  /** Media type from the output, or for inline bytes from their `data:` URL or the response. Not verified. */
  readonly mediaType?: string;
} & AssetContent;
type AssetContent =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'inline'; readonly bytes: Uint8Array };

/** A value in an output, linked to its parent. Its path is not built here, because most paths are never read. */
type OutputValue = { readonly value: unknown; readonly parent?: OutputValue; readonly step?: string | number };

/** Finds every URL and every inline asset in an output. URLs expire, so download soon. */
export function findAssets({ data, mediaType }: { readonly data: unknown; readonly mediaType?: string }): Asset[] {
  const found: Asset[] = [];
  // A list instead of recursion, because an output may be deeply nested.
  const unvisited: OutputValue[] = [{ value: data }];
  for (let entry = unvisited.pop(); entry !== undefined; entry = unvisited.pop()) {
    const { value } = entry;
    if (value instanceof Uint8Array)
      found.push(toAsset({ kind: 'inline', bytes: value }, entry, readType(entry) ?? mediaType));
    else if (typeof value === 'string') found.push(...findInText(value, entry));
    // In reverse order, because the loop takes values from the end of `unvisited`.
    else if (Array.isArray(value))
      for (let step = value.length - 1; step >= 0; step--) unvisited.push({ value: value[step], parent: entry, step });
    else
      for (const [step, part] of Object.entries(Object(value)).reverse())
        unvisited.push({ value: part, parent: entry, step });
  }
  return found;
}

/** Computes the path on demand: all paths of a deeply nested output together can be far longer than the output. */
function toAsset(content: AssetContent, entry: OutputValue, type: string | undefined): Asset {
  const mediaType = type?.split(';', 1)[0]?.trim().toLowerCase();
  return {
    ...content,
    get path() {
      const path: (string | number)[] = [];
      for (let at: OutputValue | undefined = entry; at?.step !== undefined; at = at.parent) path.push(at.step);
      return path.reverse();
    },
    ...(mediaType ? { mediaType } : {}),
  };
}

/** Names of members with base64 data, for example `bytesBase64Encoded`, `bytes_base64` and `b64_json`. */
const base64Name = /base64|^b64_/i;
const dataUrl = /^data:([^;,]{0,200})(?:;[^;,]{0,200}){0,9};base64,/i;

function findInText(text: string, entry: OutputValue): Asset[] {
  const isBase64 = base64Name.test(String(entry.step));
  const [head = '', type = readType(entry)] = (isBase64 ? undefined : dataUrl.exec(text)) ?? [];
  if (!isBase64 && head === '') {
    const isUrl = parseUrl(text).origin !== undefined;
    return isUrl ? [toAsset({ kind: 'url', url: text }, entry, type)] : [];
  }
  try {
    const bytes = Uint8Array.from(atob(text.slice(head.length)), (character) => character.charCodeAt(0));
    return [toAsset({ kind: 'inline', bytes }, entry, type)];
  } catch {
    return []; // The text is not base64.
  }
}

const typeNames = ['mimeType', 'mime_type', 'mediaType', 'media_type', 'contentType', 'content_type'];

function readType({ parent }: OutputValue): string | undefined {
  const { value } = parent ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const types = typeNames.map((name): unknown => Reflect.get(value, name));
  return types.find((type): type is string => typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(type));
}
