/** A body, read by its own media type. */
export type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'empty' }
  /** Said to be JSON and is not: truncated, or written by a proxy. */
  | { readonly kind: 'malformed'; readonly text: string; readonly cause: unknown }
  /** Of another media type than is due. */
  | { readonly kind: 'unexpected'; readonly mediaType: string; readonly text: string }
  /** Longer than the limit; the rest is not read. */
  | { readonly kind: 'oversized'; readonly maxBytes: number };

const utf8 = new TextDecoder(); // to make one takes as long as to read a short body

/** Rejects as the platform does when the connection breaks before the body ends. */
export async function readBody(response: Response, maxBytes: number): Promise<ReadBody> {
  const bytes = await readBytes(response, maxBytes);
  if (bytes === undefined) return { kind: 'oversized', maxBytes };
  if (bytes.length === 0) return { kind: 'empty' };
  const mediaType = readMediaType(response.headers);
  const isNamed = mediaType !== '' || response.ok;
  if (isNamed && !isJson(mediaType) && !mediaType.startsWith('text/')) return { kind: 'bytes', bytes };
  const text = utf8.decode(bytes);
  if (isNamed && !isJson(mediaType)) return { kind: 'text', text };
  const body = parseJson(text);
  return isNamed || body.kind === 'json' ? body : { kind: 'text', text };
}

/** Undefined for more than `maxBytes`, as they are after decompression. */
async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const said = Number(response.headers.get('content-length') ?? Number.NaN);
  // Not more can come than was said, and the platform reads all of it faster.
  if (said <= maxBytes && !response.headers.has('content-encoding'))
    return new Uint8Array(await response.arrayBuffer());
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    chunks.push(part.value);
    size += part.value.length;
    if (size > maxBytes) {
      void reader?.cancel().catch(() => undefined); // the connection may be gone already
      return undefined;
    }
  }
  return joinChunks(chunks);
}

export async function joinChunks(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await new Blob([...chunks] as BlobPart[]).arrayBuffer()); // the types ask whose memory it is
}

/** Whether a media type is one of those that are documented, of which one may be `image/*`. */
export function isMediaType(mediaType: string, documented: readonly string[]): boolean {
  return documented.some((one) =>
    one.endsWith('*') ? one === '*/*' || mediaType.startsWith(one.slice(0, -1)) : mediaType === one.toLowerCase(),
  );
}

/** Lower case, without parameters; empty when the header is missing. */
export function readMediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

function parseJson(text: string): ReadBody {
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (cause) {
    return { kind: 'malformed', text, cause };
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export function toObject(body: ReadBody | { readonly kind: 'stream' }): JsonObject {
  return body.kind === 'json' && isObject(body.value) ? body.value : {};
}

/** The first characters of a body that nobody expected, for an error. */
export function quoteBody(body: ReadBody | { readonly kind: 'stream' }, redact: (text: string) => string): string {
  if (body.kind === 'bytes') return `${body.bytes.length} bytes`;
  const text = body.kind === 'json' ? printJson(body.value) : 'text' in body ? body.text : '';
  // Cut last, since half a secret would not be found; what comes much later is in no excerpt.
  return redact(text.slice(0, 100_000)).slice(0, 500);
}

function printJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return ''; // nested deeper than the stack
  }
}
