type Found = {
  /** Path in the output, outermost step first; a number is an index. Computed on each read. */
  readonly path: readonly (string | number)[];
  /** Media type from the output, or for inline bytes from their `data:` URL or the response. Not verified. */
  readonly mediaType?: string;
};
/** A part of an output that can be saved as a file. */
export type Asset = Found &
  (
    | {
        readonly kind: 'url';
        readonly url: string;
        /**
         * Milliseconds since the epoch; the link may expire earlier. Missing for replayed results and providers' links.
         */
        readonly validUntilAtMost?: number;
      }
    | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  );

/** Models whose assets the service copies to its own storage. Your operator can tell you which. */
export type Hosting = {
  /** Ids, or prefixes of ids that end in `/`. */
  readonly models: readonly string[];
  /** Origins of the storage. All other addresses belong to providers. */
  readonly origins: readonly string[];
  /** Validity of the links in milliseconds. */
  readonly validForMs: number;
};
export type FindOptions = {
  readonly model: string;
  /** Time of the response, in milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly hosting?: readonly Hosting[];
};

/** A value in an output, linked to its parent. Its path is not built here, because most paths are never read. */
type Place = { readonly value: unknown; readonly outer?: Place; readonly step?: string | number };

/** Signed links of one provider are valid for a day after the response (MR-AST-20). */
const directWriteMs = 24 * 60 * 60 * 1000;

/** Finds every address and every inline asset of an output. */
export function findAssets(
  result: { readonly data: unknown; readonly replayed: boolean; readonly mediaType?: string },
  options: FindOptions,
): Asset[] {
  const found: Asset[] = [];
  // A list instead of recursion, because an output may be deeply nested.
  const unvisited: Place[] = [{ value: result.data }];
  for (let place = unvisited.pop(); place !== undefined; place = unvisited.pop()) {
    const { value } = place;
    if (value instanceof Uint8Array)
      found.push(addPlace({ kind: 'inline', bytes: value } as const, place, readType(place) ?? result.mediaType));
    else if (typeof value === 'string')
      found.push(...readText(value, place, { ...options, replayed: result.replayed }));
    // In reverse order, because the loop takes values from the end of `open`.
    else if (Array.isArray(value))
      for (let step = value.length - 1; step >= 0; step--) unvisited.push({ value: value[step], outer: place, step });
    else
      for (const [step, part] of Object.entries(Object(value)).reverse())
        unvisited.push({ value: part, outer: place, step });
  }
  return found;
}

/** Computes the path on demand: all paths of a deeply nested output together can be far longer than the output. */
function addPlace<T extends object>(asset: T, place: Place, type: string | undefined): T & Found {
  const mediaType = type ? type.split(';', 1)[0]?.trim().toLowerCase() : undefined;
  return {
    ...asset,
    get path() {
      const path: (string | number)[] = [];
      for (let at: Place | undefined = place; at?.step !== undefined; at = at.outer) path.push(at.step);
      return path.reverse();
    },
    ...(mediaType === undefined ? {} : { mediaType }),
  };
}

function readText(text: string, place: Place, options: FindOptions & { readonly replayed: boolean }): Asset[] {
  if (base64Name.test(String(place.step))) return inline(text, place, readType(place));
  const data = /^data:([^;,]{0,200})(?:;[^;,]{0,200}){0,9};base64,/i.exec(text);
  if (data !== null) return inline(text.slice(data[0].length), place, data[1]);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return [];
  const until = options.replayed ? undefined : validUntil(new URL(text), place, options);
  const asset = { kind: 'url', url: text, ...(until === undefined ? {} : { validUntilAtMost: until }) } as const;
  return [addPlace(asset, place, readType(place))];
}

/** Names of members with base64 data, for example `bytesBase64Encoded`, `bytes_base64` and `b64_json`. */
const base64Name = /base64|^b64_/i;
const typeNames = ['mimeType', 'mime_type', 'mediaType', 'media_type', 'contentType', 'content_type'];

function readType({ outer }: Place): string | undefined {
  const { value } = outer ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const types = typeNames.map((name): unknown => Reflect.get(value, name));
  return types.find((type): type is string => typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(type));
}

/** True for `response.videos[].gcsUri`, which the service signs. Elsewhere, `gcsUri` may be a provider's own field. */
function isDirectWrite({ protocol }: URL, place: Place): boolean {
  if (protocol !== 'https:' || place.step !== 'gcsUri') return false;
  const { step: index, outer: videos } = place.outer ?? {};
  const response = videos?.outer;
  const isMember = response?.step === 'response' && videos?.step === 'videos' && typeof index === 'number';
  return isMember && response.outer !== undefined && response.outer.step === undefined;
}

function validUntil(url: URL, place: Place, { model, receivedAt, hosting = [] }: FindOptions): number | undefined {
  const matchesModel = (one: string): boolean => one === model || (one.endsWith('/') && model.startsWith(one));
  const host = hosting.find(({ models, origins }) => models.some(matchesModel) && origins.includes(url.origin));
  const validForMs = isDirectWrite(url, place) ? directWriteMs : host?.validForMs;
  return validForMs === undefined ? undefined : receivedAt + validForMs;
}

function inline(text: string, place: Place, mediaType?: string): Asset[] {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return [addPlace({ kind: 'inline', bytes } as const, place, mediaType)];
  } catch {
    return []; // The text is not base64.
  }
}
