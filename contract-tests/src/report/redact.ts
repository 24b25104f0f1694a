import querystring from 'node:querystring';
import { createCredentialDetector, shortestCredential } from '../../../specs/src/index.ts';
import type { Target } from '../contract/target.ts';
import { type BodyRecord, type ExchangeRecord, shorten } from './report.ts';

/** Replaces credentials in a text, in every form in which a response may repeat them. */
export type Redactor = (text: string) => string;

/** What stands in place of a credential. */
export const replacement = '[redacted]';
const secretHeaders = /^(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;

/** Hides the values of headers that hold credentials, and of those for a gateway, also where they are no secret. */
export function createHeaderRedactor({
  headers = [],
}: Target): (name: string, value: string) => readonly [string, string] {
  const gateway = new Set(headers.map(({ name }) => name.toLowerCase()));
  const isHidden = (name: string): boolean => secretHeaders.test(name) || gateway.has(name.toLowerCase());
  return (name, value) => [name, isHidden(name) ? replacement : value];
}

/** Every string of a value redacted, keys included. The value is plain JSON. */
export function redactTree<T>(value: T, redact: Redactor): T {
  // Rules share their exchanges, so most strings are there several times.
  const known = new Map<string, string>();
  const redactOnce = (text: string): string => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  };
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return redactOnce(part);
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [redactOnce(key), visit(member)]));
  };
  // Only the contents of strings differ.
  return visit(value) as T;
}

/** What the credentials of a target are: configured, or part of its addresses. Shorter ones would match all over a report. */
export function listCredentials(target: Target): readonly string[] {
  const sides = [target.router, target.workflow].filter((side) => side !== undefined);
  const all = [
    ...sides.flatMap(({ credentials }) => Object.values(credentials)),
    ...sides.flatMap(({ url }) => listUserInfo(url)),
    ...(target.headers ?? []).flatMap(({ value, isSecret }) => (isSecret === false ? [] : [value])),
    ...(target.hooks === undefined ? [] : [target.hooks.credential ?? '', ...listUserInfo(target.hooks.url)]),
    ...(target.secrets ?? []),
  ];
  return [...new Set(all.filter((one) => one !== undefined && one.length >= shortestCredential))];
}

function listUserInfo(url: string): readonly string[] {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return [username, password].map((part) => querystring.unescape(part));
}

/** Linear in the text. What only a decoder finds (escapes within escapes, hex with separators) costs the whole text. */
export function createRedactor(target: Target): Redactor {
  const credentials = listCredentials(target);
  const forms = Map.groupBy(credentials.flatMap(listForms), ({ folded }) => folded[0] ?? 0);
  const isHeld = createCredentialDetector(credentials);
  return (text) => {
    if (text.length < shortestCredential) return text;
    const redacted = replaceFound(text, forms);
    return isHeld(redacted) ? replacement : redacted;
  };
}

function replaceFound(text: string, forms: Forms): string {
  let redacted = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const found = findAt(text, at, forms);
    if (found === undefined) continue;
    redacted += text.slice(copied, Math.max(copied, found.start)) + replacement;
    copied = found.end;
    at = Math.max(at, found.end - 1);
  }
  return redacted + text.slice(copied);
}

const bodyShown = 2_000;
/** Of every other text; a finding quotes one line or two. */
const textShown = 400;

/** A redacted part of a report with its long texts cut. */
export function cutTexts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? shorten(part, textShown) : part));
}

/** Addresses and headers stay whole: they were sent or read within bounds of their own. */
export function cutExchange({ request, response, ...facts }: ExchangeRecord): ExchangeRecord {
  return {
    ...facts,
    request: { ...request, body: cutBody(request.body) },
    response: response.kind === 'response' ? { ...response, body: cutBody(response.body) } : cutTexts(response),
  };
}

function cutBody(body: BodyRecord): BodyRecord {
  if (body.kind !== 'text') return body;
  return { ...body, text: body.text.slice(0, bodyShown), isCut: body.isCut || body.text.length > bodyShown };
}

type Found = { readonly start: number; readonly end: number };

/** One form of a credential, in folded characters. */
type Form = { readonly folded: readonly number[]; readonly isBase64: boolean };
/** By their first character. */
type Forms = ReadonlyMap<number, readonly Form[]>;

/** A credential as it is, in hex, and in base64 at every offset; each is found in any letter case, with any character escaped. */
function listForms(credential: string): readonly Form[] {
  const hex = Buffer.from(credential).toString('hex');
  const cased = [...new Set([credential, credential.toLowerCase(), credential.toUpperCase()])];
  return [
    ...[credential, hex].map((text) => ({ folded: foldAll(text), isBase64: false })),
    ...cased.flatMap((text) => [0, 1, 2].map((offset) => ({ folded: base64At(text, offset), isBase64: true }))),
  ];
}

/** The base64 digits that the credential alone decides when it starts at this byte of a group of three. */
function base64At(text: string, offset: number): readonly number[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  const [first, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return foldAll(bytes.toString('base64').slice(first, end));
}

const foldAll = (text: string): readonly number[] => Array.from(Buffer.from(text), fold);

/** One code for a letter in either case, and for a base64 digit in either alphabet. */
function fold(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  if (code === 0x2d) return 0x2b; // - and +
  return code === 0x5f ? 0x2f : code; // _ and /
}

function findAt(text: string, at: number, forms: Forms): Found | undefined {
  const code = text.charCodeAt(at);
  let longest: Found | undefined;
  const tryForms = (candidates: readonly Form[] | undefined, second: number | undefined): void => {
    for (const form of candidates ?? []) {
      // Most places of a text end here.
      if (second !== undefined && form.folded[1] !== second) continue;
      const found = matchAt(text, at, form);
      if (found !== undefined && found.end > (longest?.end ?? 0)) longest = found;
    }
  };
  const next = text.charCodeAt(at + 1);
  const isPlain = !isEscape(code) && !isEscape(next) && !isInvisible(next);
  tryForms(forms.get(fold(code)), isPlain ? fold(next) : undefined);
  if (isEscape(code)) tryForms(forms.get(fold(readEscape(text, at)?.code ?? 0)), undefined);
  return longest;
}

const isBase64Digit = /[\w+/=-]/;

function matchAt(text: string, at: number, { folded, isBase64 }: Form): Found | undefined {
  const end = endOfMatch(text, at, folded);
  if (end < 0) return undefined;
  if (!isBase64) return { start: at, end };
  // The digits beside it hold some of its bits.
  const isDigit = (place: number): boolean => isBase64Digit.test(text.charAt(place));
  return { start: isDigit(at - 1) ? at - 1 : at, end: isDigit(end) ? end + 1 : end };
}

/** Where the longest match ends; -1 where there is none. */
function endOfMatch(text: string, start: number, folded: readonly number[], from = 0): number {
  let at = start;
  let longest = -1;
  for (let index = from; index < folded.length; index++) {
    const cut = index < shortestCredential ? undefined : cutEnd(text, at);
    if (cut !== undefined) return Math.max(longest, cut);
    // More than one where the credential has a character that begins escapes.
    const [next, ...others] = afterCharacter(text, at, folded[index] ?? 0, index > 0);
    for (const place of others) longest = Math.max(longest, endOfMatch(text, place, folded, index + 1));
    if (next === undefined) return Math.max(longest, isMost(index, folded.length) ? at : -1);
    at = next;
  }
  return Math.max(longest, at);
}

// A server may have cut it too: what is left of a credential then is a matter of a few guesses.
const isMost = (found: number, length: number): boolean => found >= shortestCredential && found >= 0.75 * length;

const invisibleAtMost = 16;
const percent = 0x25;
const backslash = 0x5c;

const nowhere: readonly number[] = [];

/** The places after a wanted character, behind characters that nobody sees. */
function afterCharacter(text: string, start: number, wanted: number, maySkip: boolean): readonly number[] {
  const first = text.charCodeAt(start);
  if (fold(first) !== wanted && !isEscape(first) && !isInvisible(first)) return nowhere;
  let at = start;
  for (let skipped = 0; skipped <= (maySkip ? invisibleAtMost : 0); skipped++) {
    const code = text.charCodeAt(at);
    const escaped = isEscape(code) ? readEscape(text, at) : undefined;
    const places = placesAfter(text, at, wanted, escaped);
    if (places.length > 0 || !isInvisible(escaped?.code ?? code)) return places;
    at = escaped?.end ?? at + 1;
  }
  return nowhere;
}

/** Where the text goes on behind a character, as it is or escaped. */
function placesAfter(text: string, at: number, wanted: number, escaped: Escaped | undefined): readonly number[] {
  const places = [
    ...(escaped !== undefined && fold(escaped.code) === wanted ? [escaped.end] : []),
    ...(fold(text.charCodeAt(at)) === wanted ? [at + 1] : []),
  ];
  if (places.length === 0 || !isEscape(wanted)) return places.slice(0, 1);
  // `%25` or `\\` may also be followed by what reads as the rest of an escape.
  const short = wanted === percent ? ['%25', '%2525'] : wanted === backslash ? ['\\\\', '\\\\\\\\'] : ['&amp;'];
  const ends = short.filter((form) => text.startsWith(form, at)).map((form) => at + form.length);
  return [...new Set([...places, ...ends])];
}

/** Where a text that was cut within a credential ends. */
function cutEnd(text: string, at: number): number | undefined {
  if (at < text.length && !isEscape(text.charCodeAt(at)) && text[at] !== '…' && text[at] !== '.') return undefined;
  const cut = /^([%\\&][\\\w#{]{0,6})?(?:…|\.{3}|$)/.exec(text.slice(at, at + 12));
  return cut === null ? undefined : at + (cut[1]?.length ?? 0);
}

const isInvisible = (code: number): boolean => code < 0x20 || code > 0x7e;
const isEscape = (code: number): boolean => code === backslash || code === percent || code === 0x26;

const escapes =
  /\\{1,8}(?:u([\da-f]{4})|u\{0{0,4}([\da-f]{2,4})\}|x([\da-f]{2})|([\s\S]))|%(?:25){0,4}(?:u00)?([\da-f]{2})|&(?:amp;){0,4}(?:#x0{0,4}([\da-f]{2,4})|#0{0,4}(\d{2,4})|(amp|lt|gt|quot|apos));?/iy;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

type Escaped = { readonly code: number; readonly end: number };

/** The escaped character at a place. */
function readEscape(text: string, at: number): Escaped | undefined {
  escapes.lastIndex = at;
  const found = escapes.exec(text);
  if (found === null) return undefined;
  const [, unicode, braced, byte, single, percent, hex, decimal, name] = found;
  const character = name === undefined ? single : named[name.toLowerCase()];
  const isControl = single !== undefined && 'nrtbf'.includes(single);
  const digits = unicode ?? braced ?? byte ?? percent ?? hex;
  const code = character?.charCodeAt(0) ?? Number.parseInt(digits ?? decimal ?? '', digits === undefined ? 10 : 16);
  return { code: isControl ? 0 : code, end: escapes.lastIndex };
}
