type Found = {
  /** Where it was found, outermost part first; a number is an index. */
  readonly path: readonly (string | number)[];
  /** As the output says beside it, or for inline bytes their `data:` address or the response; nobody checked it. */
  readonly mediaType?: string;
};
/** Something in an output that can be saved as a file. */
export type Asset = Found &
  (
    | {
        readonly kind: 'url';
        readonly url: string;
        /**
         * In milliseconds since the epoch. An upper bound and no promise: the address may end earlier. Absent where nothing is
         * known, which is so for every replayed result and for every address of a provider.
         */
        readonly validUntilAtMost?: number;
      }
    | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  );

/** Models whose assets the service copies to its own storage, as far as you know. */
export type Hosting = {
  /** Ids, or a start of ids that ends in `/`. */
  readonly models: readonly string[];
  /** Origins of the storage; an address elsewhere is a provider's. */
  readonly origins: readonly string[];
  readonly hours: number;
};
export type FindOptions = {
  readonly model: string;
  /** When the response arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly hosting?: readonly Hosting[];
};

/** A part of an output, with the way to it as a list that is read only where an asset is found. */
type Place = { readonly value: unknown; readonly outer?: Place; readonly step?: string | number };

/** A signed link of one provider is valid for a day from the response (MR-AST-20). */
const directWriteHours = 24;
const hourMs = 60 * 60 * 1000;

/** Every address and every inline asset of an output; each is looked at by itself, since copies are made one by one. */
export function findAssets(
  result: { readonly data: unknown; readonly replayed: boolean; readonly mediaType?: string },
  options: FindOptions,
): Asset[] {
  const found: Asset[] = [];
  // A list instead of recursion: an output may be nested as deep as its writer likes.
  const open: Place[] = [{ value: result.data }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    if (value instanceof Uint8Array)
      found.push({ kind: 'inline', bytes: value, ...describe(place, readType(place) ?? result.mediaType) });
    else if (typeof value === 'string')
      found.push(...readText(value, place, { ...options, replayed: result.replayed }));
    else if (typeof value === 'object' && value !== null) open.push(...listParts(value, place));
  }
  return found;
}

function describe(place: Place, type: string | undefined): Found {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.step !== undefined; at = at.outer) path.push(at.step);
  path.reverse();
  return type ? { path, mediaType: type.split(';', 1)[0]?.trim().toLowerCase() ?? '' } : { path };
}

/** Last one first, so that taking from the end keeps the order. */
function listParts(value: object, outer: Place): Place[] {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((part, index) => [index, part])
    : Object.entries(value);
  return entries.map(([step, part]) => ({ value: part, outer, step })).reverse();
}

function readText(text: string, place: Place, options: FindOptions & { readonly replayed: boolean }): Asset[] {
  if (base64Name.test(String(place.step))) return inline(text, place, readType(place));
  const data = /^data:([^;,]{0,200})(?:;[^;,]{0,200}){0,9};base64,/i.exec(text);
  if (data !== null) return inline(text.slice(data[0].length), place, data[1]);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return [];
  const asset = describe(place, readType(place));
  const until = options.replayed ? undefined : validUntil(new URL(text), asset.path, options);
  return [{ kind: 'url', url: text, ...asset, ...(until === undefined ? {} : { validUntilAtMost: until }) }];
}

/** Such as `bytesBase64Encoded`, `bytes_base64` and `b64_json`. */
const base64Name = /base64|^b64_/i;
const typeNames = ['mimeType', 'mime_type', 'mediaType', 'media_type', 'contentType', 'content_type'];

/** What an output says of its part in a member beside it. */
function readType({ outer }: Place): string | undefined {
  const { value } = outer ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const types = typeNames.map((name) => (value as { [name: string]: unknown })[name]);
  return types.find((type): type is string => typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(type));
}

/** `response.videos[].gcsUri`, signed by the service; a provider's own output may use the name elsewhere. */
function isDirectWrite({ protocol }: URL, [first, second, index, ...rest]: Found['path']): boolean {
  const isMember = first === 'response' && second === 'videos' && typeof index === 'number';
  return isMember && rest.length === 1 && rest[0] === 'gcsUri' && protocol === 'https:';
}

function validUntil(
  url: URL,
  path: Found['path'],
  { model, receivedAt, hosting = [] }: FindOptions,
): number | undefined {
  const names = (one: string): boolean => one === model || (one.endsWith('/') && model.startsWith(one));
  const host = hosting.find(({ models, origins }) => models.some(names) && origins.includes(url.origin));
  const hours = isDirectWrite(url, path) ? directWriteHours : host?.hours;
  return hours === undefined ? undefined : receivedAt + hours * hourMs;
}

function inline(text: string, place: Place, mediaType?: string): Asset[] {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return [{ kind: 'inline', bytes, ...describe(place, mediaType) }];
  } catch {
    return []; // no base64, so no asset
  }
}
