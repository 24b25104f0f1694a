import { excerpt } from '../contract/finding.ts';
import type { NoResponse, RawHeaders, WireResponse } from '../contract/probe.ts';
import { noResponse } from './bodies.ts';

/** Undefined while more bytes are needed. */
type Reading = WireResponse | NoResponse | undefined;
type Head = { readonly status: number; readonly headers: RawHeaders; readonly bodyAt: number };

/** How many informational responses may precede the final one. */
export const maxInformational = 100;
/** Of a head, and of what follows the last chunk. Of the size of a chunk with its extensions: a quarter of it. */
const maxHeadBytes = 64 * 1024;
const maxChunkLineBytes = maxHeadBytes / 4;

/**
 * Parses the bytes of a connection. Nothing is hidden: bytes that follow a 304 are its body, and bytes beyond a
 * Content-Length make the response malformed. `ended`: no more bytes will come.
 */
export function readRawResponse(bytes: Uint8Array, ended: boolean): Reading {
  const reading = readMessage(bytes, ended);
  return reading === undefined && ended ? noResponse('reset', 'the answer was cut short') : reading;
}

function readMessage(bytes: Uint8Array, ended: boolean): Reading {
  let rest = bytes;
  for (let count = 0; count <= maxInformational; count += 1) {
    const head = readHead(rest);
    if (head === undefined || 'because' in head) return head;
    rest = rest.subarray(head.bodyAt);
    if (head.status < 100 || head.status > 199) return readBody(head, rest, ended);
  }
  return malformed(`more than ${maxInformational} informational responses`);
}

function malformed(detail: string): NoResponse {
  return noResponse('malformed', detail);
}

function readHead(bytes: Uint8Array): Head | NoResponse | undefined {
  const end = endOfLines(bytes);
  if (end === undefined) return bytes.length > maxHeadBytes ? tooLong('head') : undefined;
  const [statusLine = '', ...lines] = end.text.split(/\r?\n/);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) return malformed(`no status line: ${excerpt(statusLine)}`);
  const headers = lines.map(readHeaderLine);
  const broken = headers.indexOf(undefined);
  if (broken !== -1) return malformed(`no header line: ${excerpt(lines[broken] ?? '')}`);
  return { status: Number(status), headers: headers.filter((line) => line !== undefined), bodyAt: end.nextAt };
}

function readHeaderLine(line: string): readonly [string, string] | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  return /^[^\s]+$/.test(name) ? [name, withoutBlanks(line.slice(colon + 1))] : undefined;
}

// No expression: one for both ends takes the square of the blanks within.
function withoutBlanks(text: string): string {
  const isBlank = (index: number): boolean => text[index] === ' ' || text[index] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** The lines before an empty one, and where what follows it begins. */
function endOfLines(bytes: Uint8Array): { readonly text: string; readonly nextAt: number } | undefined {
  // Latin-1 maps each byte to one character, so offsets in the text are offsets in the bytes.
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, maxHeadBytes));
  const end = /\r?\n\r?\n/.exec(text);
  return end === null ? undefined : { text: text.slice(0, end.index), nextAt: end.index + end[0].length };
}

function tooLong(part: string): NoResponse {
  return malformed(`a ${part} without end`);
}

function readBody(head: Head, rest: Uint8Array, ended: boolean): Reading {
  const headerValue = (name: string): string | undefined =>
    head.headers.find(([key]) => key.toLowerCase() === name)?.[1].toLowerCase();
  if (head.status === 304 || head.status === 204) return complete(head, rest);
  if (headerValue('transfer-encoding')?.includes('chunked')) return readChunks(head, rest);
  const declared = headerValue('content-length');
  if (declared === undefined) return ended ? complete(head, rest) : undefined;
  if (!/^\d+$/.test(declared)) return malformed(`Content-Length: ${excerpt(declared)}`);
  const length = Number(declared);
  if (rest.length < length) return undefined;
  if (rest.length > length) return malformed(`${rest.length - length} bytes more than Content-Length says`);
  return complete(head, rest);
}

function complete({ status, headers }: Head, body: Uint8Array): WireResponse {
  return { kind: 'response', status, headers, body: new Uint8Array(body) };
}

function readChunks(head: Head, rest: Uint8Array): Reading {
  // A chunk may hold one byte: its bytes are moved together and not collected one by one.
  const body = new Uint8Array(rest.length);
  for (let at = 0, size = 0; ; ) {
    const lineEnd = rest.indexOf(10, at);
    if (lineEnd === -1 || lineEnd - at > maxChunkLineBytes)
      return rest.length - at > maxChunkLineBytes ? tooLong('chunk size') : undefined;
    const length = chunkLength(rest, at, lineEnd);
    if (length === undefined) return malformed(`no chunk size: ${excerpt(asText(rest.subarray(at, lineEnd)))}`);
    const start = lineEnd + 1;
    if (length === 0) return readTrailer(head, { body: body.subarray(0, size), rest: rest.subarray(start) });
    if (rest.length < start + length + 2) return undefined;
    body.set(rest.subarray(start, start + length), size);
    size += length;
    at = start + length + 2;
  }
}

function asText(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** The hexadecimal number that a line begins with; undefined when something else than blanks or extensions follows it. */
function chunkLength(bytes: Uint8Array, from: number, to: number): number | undefined {
  let at = from;
  let length = 0;
  for (let digit = hexDigit(bytes[at]); digit !== undefined && at < to; digit = hexDigit(bytes[at])) {
    length = length * 16 + digit;
    at += 1;
  }
  if (at === from || at - from > 8) return undefined;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at += 1;
  return at === to || bytes[at] === 0x3b ? length : undefined;
}

function hexDigit(code = 0): number | undefined {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? undefined : digit;
}

function readTrailer(head: Head, { body, rest }: { body: Uint8Array; rest: Uint8Array }): Reading {
  const empty = /^\r?\n/.exec(asText(rest.subarray(0, 2)))?.[0].length;
  const nextAt = empty ?? endOfLines(rest)?.nextAt;
  if (nextAt === undefined) return rest.length > maxHeadBytes ? tooLong('trailer') : undefined;
  const surplus = rest.length - nextAt;
  return surplus > 0 ? malformed(`${surplus} bytes after the last chunk`) : complete(head, body);
}
