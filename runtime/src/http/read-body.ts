/** A body, read by its own media type. */
export type Body = {
  /** `broken`: not the JSON it claims to be, broken off, too long, or the page of something in front of the API. A `stream` is not read. */
  readonly kind: 'json' | 'text' | 'bytes' | 'empty' | 'stream' | 'broken';
  /** The decoded value. */
  readonly value?: unknown;
  /** As it came, unless it is bytes. */
  readonly text?: string;
  /** As it came, as far as it came. */
  readonly bytes?: Uint8Array;
  /** What is wrong with a broken one. */
  readonly why?: string;
  readonly cause?: unknown;
  /** Asking again would give the same. */
  readonly isFinal?: boolean;
};

let utf8: TextDecoder | undefined; // to make one takes as long as to read a short body, and some platforms have none

/** Rejects as the platform does when the connection breaks before the body ends. */
export async function readBody(response: Response, maxBytes: number): Promise<Body> {
  const mediaType = readMediaType(response.headers);
  const isText = /^application\/json$|\+json$|^text\//.test(mediaType);
  const tooLong: Body = {
    kind: 'broken',
    why: `the body is longer than maxResponseBytes (${maxBytes})`,
    isFinal: true,
  };
  // Platforms without streams of bodies read text best as text.
  if (!response.body && isText) {
    const text = await response.text();
    if (text.length > maxBytes) return tooLong;
    return text === '' ? { kind: 'empty' } : readText(text, mediaType);
  }
  const bytes = await readBytes(response, maxBytes);
  if (bytes === undefined) return tooLong;
  if (bytes.length === 0) return { kind: 'empty' };
  // Without a media type, a success is JSON where it begins like an object: all of the API's are.
  const isUnnamed = mediaType === '' && (!response.ok || bytes[0] === 0x7b);
  if (!isText && !isUnnamed) return { kind: 'bytes', value: bytes, bytes };
  utf8 ??= new TextDecoder();
  const body = readText(utf8.decode(bytes), isText ? mediaType : 'json');
  if (body.kind !== 'broken' || isText) return { ...body, bytes };
  const text = body.text ?? '';
  return response.ok ? { kind: 'bytes', value: bytes, bytes } : { kind: 'text', value: text, text, bytes };
}

function readText(text: string, mediaType: string): Body {
  if (!mediaType.endsWith('json')) return { kind: 'text', value: text, text };
  try {
    return { kind: 'json', value: JSON.parse(text.replace(/^\ufeff/, '')), text };
  } catch (cause) {
    return { kind: 'broken', text, cause };
  }
}

/** A request or a response. */
type WithBody = Pick<Response, 'body' | 'arrayBuffer'>;
/** The parts of a body. */
export type Chunks = {
  /** The next one; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Drops the rest. */
  cancel(): void;
};

/** The parts of a body on any platform: a web stream, a stream of Node, or all at once where a body is not a stream. */
export function chunksOf(response: WithBody): Chunks {
  const body: unknown = response.body;
  if (body instanceof Object && 'getReader' in body && response.body) {
    const reader = response.body.getReader();
    // The connection may be gone already.
    return { next: async () => (await reader.read()).value, cancel: () => void reader.cancel().catch(() => undefined) };
  }
  const parts = readParts(response, body);
  return {
    next: async () => (await parts.next()).value,
    cancel: () => void parts.return(undefined).catch(() => undefined),
  };
}

const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> =>
  body instanceof Object && Symbol.asyncIterator in body;

async function* readParts(response: WithBody, body: unknown): AsyncGenerator<Uint8Array, undefined, void> {
  if (isIterable(body)) {
    // As plain bytes, since those of Node have a class of their own.
    for await (const { buffer, byteOffset, byteLength } of body) yield new Uint8Array(buffer, byteOffset, byteLength);
    return undefined;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > 0) yield bytes;
  return undefined;
}

/** Undefined for more than `maxBytes`, counted after decompression. */
export async function readBytes(response: WithBody, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts = chunksOf(response);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await parts.next(); part !== undefined; part = await parts.next()) {
    chunks.push(part);
    size += part.length;
    if (size > maxBytes) {
      parts.cancel();
      return undefined;
    }
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Lower case, without parameters; empty when the header is missing. A proxy may send it twice. */
export function readMediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? '';
}

type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object that a body is; empty for any other body, so that its members are undefined. */
export function toObject({ kind, value }: Body): JsonObject {
  return kind === 'json' && isObject(value) ? value : {};
}

/** The first characters of an unexpected body, for an error. */
export function quoteBody({ value, text = '' }: Body, redact: (text: string) => string): string {
  // Cut last, since half a secret would not be found; what comes much later is in no excerpt.
  return value instanceof Uint8Array ? `${value.length} bytes` : redact(text.slice(0, 100_000)).slice(0, 500);
}
