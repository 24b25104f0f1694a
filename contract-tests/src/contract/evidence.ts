import { type JsonValue, measureJson, readEssence, resolvePointer } from '../../../specs/src/index.ts';
import { memoizeWeakly } from './cache.ts';
import type { Evidence, Exchange, RawHeaders, WireResponse } from './exchange.ts';

export type StepResponse = WireResponse & { readonly step: string };

export type ParsedBody =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'malformed'; readonly because: string };

/** Returns the time at which the response ended, in milliseconds on the clock of the check. */
export function computeEnd({ timing }: Exchange): number {
  return timing.startedAtMs + timing.durationMs;
}

export function allResponses(evidence: Evidence): readonly StepResponse[] {
  return evidence.flatMap(({ result, step }) => (result.kind === 'response' ? [{ ...result, step }] : []));
}

export function headerValues(source: { readonly headers: RawHeaders }, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  // Rules read the headers of every response many times, so skip names of a different length first.
  for (const [one, value] of source.headers)
    if (one.length === wanted.length && one.toLowerCase() === wanted) values.push(value);
  return values;
}

/** Returns a header; repeated lines are joined with commas as HTTP defines. Undefined if absent. */
export function readHeader(source: { readonly headers: RawHeaders }, name: string): string | undefined {
  const values = headerValues(source, name);
  return values.length === 0 ? undefined : values.join(', ');
}

export function isReplay(response: { readonly headers: RawHeaders }): boolean {
  // A missing header means the same as `false` (OP-223).
  return readHeader(response, replayHeader)?.trim().toLowerCase() === 'true';
}

export const replayHeader = 'Idempotent-Replayed';

/** Returns the media type in lower case and without parameters; undefined if the header is absent. */
export function readMediaType(source: { readonly headers: RawHeaders }): string | undefined {
  const type = readHeader(source, 'content-type');
  return type === undefined ? undefined : readEssence(type);
}

/** True if a documented media type or range, such as `image/*`, includes the actual media type. */
export function matchesMediaType(documented: string, actual: string | undefined): boolean {
  const range = readEssence(documented);
  if (range === '*/*') return true;
  if (actual === undefined) return false;
  return range.endsWith('/*') ? actual.startsWith(range.slice(0, -1)) : actual === range;
}

// Created once, because creating one takes longer than decoding a short text.
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true });

export function decodeBody(source: { readonly body: Uint8Array }): string {
  return decoder.decode(source.body);
}

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

// Maximum nesting depth, far above that of any documented response, so that checks can recurse safely.
const nestingLimit = 500;
const valuesLimit = 500_000;

// Each body is parsed once, because many checks read it. The cache may drop the result, because a parsed body can take
// 100 times as much memory as its bytes.
const parseOnce = memoizeWeakly((body: Uint8Array) => parse(body));

export function parseBody({ body }: { readonly body: Uint8Array }): ParsedBody {
  return parseOnce(body);
}

type Revive = (name: string, value: unknown, written: { readonly source?: string }) => unknown;

/** Keeps integers beyond 2^53, such as 64-bit seeds, in their original notation. */
const keepDigits: Revive = (_, value, { source = '' }) => {
  const digits = /^(-?\d+)(?:\.(\d*?)0*)?(?:e(.+))?$/i.exec(source);
  if (digits === null || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const [, whole = '', part = '', power = '0'] = digits;
  const zeros = Number(power) - part.length;
  return zeros < 0 ? value : BigInt(whole + part) * 10n ** BigInt(zeros);
};

/** Parses JSON; integers that a number cannot represent become bigints. */
export function parseExactly(body: Uint8Array): unknown {
  const parsed = parse(body, keepDigits);
  return parsed.kind === 'json' ? parsed.value : undefined;
}

function parse(body: Uint8Array, revive?: Revive): ParsedBody {
  const text = decodeUtf8(body);
  if (text === undefined) return { kind: 'malformed', because: 'the bytes are not UTF-8' };
  const { deepest, values } = measureJson(body);
  if (values > valuesLimit) return { kind: 'malformed', because: `more than ${valuesLimit} values` };
  try {
    const read = deepest > nestingLimit ? cutDeepValues(text) : text;
    return { kind: 'json', value: JSON.parse(read, revive as Parameters<typeof JSON.parse>[1]) };
  } catch (error) {
    return { kind: 'malformed', because: `${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Replaces values beyond the nesting limit with null. Only echoes of deeply nested requests have such values. */
function cutDeepValues(text: string): string {
  let depth = 0;
  return text.replace(/"(?:[^"\\]|\\.)*"?|[[\]{}]|[^"[\]{}]+/gs, (token) => {
    if (token === '[' || token === '{') {
      depth += 1;
      if (depth === nestingLimit + 1) return 'null';
    }
    const isCut = depth > nestingLimit;
    if (token === ']' || token === '}') depth -= 1;
    return isCut ? '' : token;
  });
}

export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the strings of a JSON array that is encoded once or twice (OP-226); undefined for anything else. */
export function parseStringArray(value: string): readonly string[] | undefined {
  const once = parseJson(value);
  const list = typeof once === 'string' ? parseJson(once) : once;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

/** Returns the member at a JSON pointer; undefined if the body isn't JSON or lacks the member. */
export function readMember(source: { readonly body: Uint8Array }, pointer: string): JsonValue | undefined {
  const parsed = parseBody(source);
  return parsed.kind === 'json' ? resolvePointer(parsed.value, pointer) : undefined;
}

/** Returns matching members at any depth, without the members inside a match. */
export function findMembers(
  value: JsonValue | undefined,
  isMatch: (name: string, member: JsonValue) => boolean,
): readonly FoundMember[] {
  if (typeof value !== 'object' || value === null) return [];
  const found: FoundMember[] = [];
  for (const [name, member] of Object.entries(value)) {
    // Most values contain no match, so pointers are built on the way back from a match.
    if (isMatch(name, member)) found.push({ pointer: `/${name}`, value: member });
    else
      for (const inner of findMembers(member, isMatch)) found.push({ ...inner, pointer: `/${name}${inner.pointer}` });
  }
  return found;
}

export type FoundMember = { readonly pointer: string; readonly value: JsonValue };

type Cache<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** Returns the value of a key, and adds it with `make` if it is missing. */
export function once<Key, Value>(known: Cache<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

export function hasSucceeded({ result }: Exchange): boolean {
  return result.kind === 'response' && result.status < 300;
}

/** Category of the router's error while a dependency is down. */
export const outage = 'service_unavailable';

/** Returns `Retry-After` in milliseconds; 0 if it is absent or not a number. */
export function readRetryAfter(source: { readonly headers: RawHeaders }): number {
  const seconds = readHeader(source, 'Retry-After')?.trim() ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : 0;
}
