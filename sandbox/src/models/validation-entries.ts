import type { ValidationFailure } from '../../../runtime/src/validation/check.ts';
import { formatPointer, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';

/** An entry of a 422: location, reason, the bound if any, and the input (MR-ERR-12 to MR-ERR-20). */
export type ValidationEntry = {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: JsonObject;
  input?: JsonValue;
};

const maxEchoLength = 1000; // In characters; a longer input is omitted, which MR-ERR-20 allows.
const maxDetailLength = 1_000_000; // In characters, for all entries together; further entries are omitted.

/** Returns one entry for each invalid field; never empty if there is a failure (MR-ERR-11). */
export function validationEntries(failures: readonly ValidationFailure[], input: JsonValue): ValidationEntry[] {
  const canBeEchoed = echoCheck();
  const entries: ValidationEntry[] = [];
  let characters = 0;
  for (const { loc, msg, type, ctx } of failures) {
    const sent = resolvePointer(input, formatPointer(loc.map(String)));
    const entry: ValidationEntry = {
      loc: [...loc],
      msg,
      type,
      // `ctx` contains parts of the schema, which is JSON.
      ...(ctx === undefined ? {} : { ctx: ctx as JsonObject }),
      ...(sent !== undefined && canBeEchoed(sent) ? { input: sent } : {}),
    };
    characters += JSON.stringify(entry).length;
    if (characters > maxDetailLength && entries.length > 0) break;
    entries.push(entry);
  }
  return entries;
}

/** Checks that a value has a JSON text, unlike `1e999`, which is parsed as Infinity, and that it is short enough to echo. */
function echoCheck(): (sent: JsonValue) => boolean {
  // Entries may contain the same nested values, so measure each value once.
  const lengths = new Map<object, number>();
  const measure = (value: JsonValue): number => {
    if (typeof value === 'number') return Number.isFinite(value) ? String(value).length : Number.POSITIVE_INFINITY;
    if (typeof value === 'string') return value.length > maxEchoLength ? value.length : JSON.stringify(value).length;
    if (typeof value !== 'object' || value === null) return String(value).length;
    const length = lengths.get(value) ?? measureParts(value);
    lengths.set(value, length);
    return length;
  };
  const measureParts = (value: JsonValue[] | JsonObject): number => {
    let length = 1;
    for (const key in value) {
      const name = Array.isArray(value) ? 0 : measure(key) + 1;
      // Values parsed from JSON have no inherited members.
      length += name + measure((value as JsonObject)[key] ?? null) + 1;
      if (length > maxEchoLength) return length;
    }
    return Math.max(length, 2);
  };
  return (sent) => measure(sent) <= maxEchoLength;
}
