import type { NoResponse, RawHeaders, WireResponse } from '../definitions/probe.ts';

/** State of a response on a connection: more bytes are needed, it is complete, or it is not HTTP. */
export type RawReading =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'complete'; readonly response: WireResponse }
  | { readonly kind: 'malformed'; readonly because: string };

type Head = { readonly status: number; readonly headers: RawHeaders; readonly bodyAt: number };

/**
 * Parses the bytes of a connection. Nothing is hidden: bytes that follow a 304 are its body, and bytes beyond a
 * Content-Length make the response malformed. `ended`: no more bytes will come.
 */
export function readRawResponse(bytes: Uint8Array, ended: boolean): RawReading {
  const head = readHead(bytes);
  if (head === undefined) return { kind: 'incomplete' };
  if ('because' in head) return malformed(head.because);
  // An informational response precedes the final one.
  if (head.status >= 100 && head.status < 200) return readRawResponse(bytes.subarray(head.bodyAt), ended);
  return readBody(head, bytes.subarray(head.bodyAt), ended);
}

/** The result of an exchange that ended with this reading. */
export function resultOfReading(reading: RawReading): WireResponse | NoResponse {
  if (reading.kind === 'complete') return reading.response;
  const detail = reading.kind === 'malformed' ? reading.because : 'the answer was cut short';
  return { kind: 'no-response', because: reading.kind === 'malformed' ? 'malformed' : 'reset', detail };
}

function malformed(because: string): RawReading {
  return { kind: 'malformed', because };
}

const longestHeadBytes = 256 * 1024;

function readHead(bytes: Uint8Array): Head | { because: string } | undefined {
  // Latin-1 maps each byte to one character, so offsets in the text are offsets in the bytes.
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, longestHeadBytes));
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end.index).split(/\r?\n/);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) return { because: `no status line: ${statusLine.slice(0, 80)}` };
  const headers = lines.map((line) => /^([^:\s]+):[ \t]*(.*?)[ \t]*$/.exec(line));
  const broken = headers.indexOf(null);
  if (broken !== -1) return { because: `no header line: ${lines[broken]?.slice(0, 80)}` };
  return {
    status: Number(status),
    headers: headers.flatMap((line) => (line === null ? [] : [[line[1] ?? '', line[2] ?? ''] as const])),
    bodyAt: end.index + end[0].length,
  };
}

function readBody(head: Head, rest: Uint8Array, ended: boolean): RawReading {
  const headerValue = (name: string): string | undefined =>
    head.headers.find(([key]) => key.toLowerCase() === name)?.[1].toLowerCase();
  if (head.status === 304 || head.status === 204) return complete(head, rest);
  if (headerValue('transfer-encoding')?.includes('chunked')) return readChunks(head, rest);
  const declared = headerValue('content-length');
  if (declared === undefined) return ended ? complete(head, rest) : { kind: 'incomplete' };
  if (!/^\d+$/.test(declared)) return malformed(`Content-Length: ${declared.slice(0, 40)}`);
  const length = Number(declared);
  if (rest.length < length) return { kind: 'incomplete' };
  if (rest.length > length) return malformed(`${rest.length - length} bytes more than Content-Length says`);
  return complete(head, rest);
}

function complete({ status, headers }: Head, body: Uint8Array): RawReading {
  return { kind: 'complete', response: { kind: 'response', status, headers, body: new Uint8Array(body) } };
}

function readChunks(head: Head, rest: Uint8Array): RawReading {
  const parts: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf(10, at);
    if (lineEnd === -1) return { kind: 'incomplete' };
    const line = new TextDecoder('latin1').decode(rest.subarray(at, lineEnd));
    const size = /^([0-9a-f]{1,8})\s*(?:;.*)?$/i.exec(line.trim())?.[1];
    if (size === undefined) return malformed(`no chunk size: ${line.slice(0, 40)}`);
    const start = lineEnd + 1;
    const length = Number.parseInt(size, 16);
    if (length === 0) return readTrailer(head, { parts, rest: rest.subarray(start) });
    if (rest.length < start + length + 2) return { kind: 'incomplete' };
    parts.push(rest.subarray(start, start + length));
    at = start + length + 2;
  }
}

function readTrailer(head: Head, { parts, rest }: { parts: readonly Uint8Array[]; rest: Uint8Array }): RawReading {
  const text = new TextDecoder('latin1').decode(rest);
  const end = /^\r?\n|\r?\n\r?\n/.exec(text);
  if (end === null) return { kind: 'incomplete' };
  const surplus = rest.length - end.index - end[0].length;
  if (surplus > 0) return malformed(`${surplus} bytes after the last chunk`);
  return complete(head, Buffer.concat(parts));
}
