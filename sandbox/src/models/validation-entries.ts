import type { ValidationFailure } from '../../../runtime/src/validation/check.ts';
import { formatPointer, type JsonObject, type JsonValue, resolvePointer } from '../../../specs/src/index.ts';

/** An entry of a 422: location, message, type of violation, violated bound and invalid value (MR-ERR-12 to MR-ERR-20). */
export type ValidationEntry = {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: JsonObject;
  input?: JsonValue;
};

const maxEchoLength = 1000; // In characters. A longer value is omitted from its entry, which MR-ERR-20 allows.
const maxDetailLength = 1_000_000; // In characters, for all entries together. Further entries are omitted.

/** Returns one entry for each invalid field; never empty if there is a failure (MR-ERR-11). */
export function createValidationEntries(failures: readonly ValidationFailure[], input: JsonValue): ValidationEntry[] {
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
      ...(sent !== undefined && measureJsonLength(sent) <= maxEchoLength ? { input: sent } : {}),
    };
    characters += JSON.stringify(entry).length;
    if (characters > maxDetailLength && entries.length > 0) break;
    entries.push(entry);
  }
  return entries;
}

/**
 * Returns the length of a value's JSON text, or a number above `maxEchoLength` if it is longer, or if there is no JSON text, as for
 * `1e999`, which is parsed as Infinity.
 */
function measureJsonLength(value: JsonValue): number {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).length : Number.POSITIVE_INFINITY;
  if (typeof value === 'string') return value.length > maxEchoLength ? value.length : JSON.stringify(value).length;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let length = 1;
  for (const name in value) {
    // Values parsed from JSON have no inherited members.
    const member = (value as JsonObject)[name] ?? null;
    length += (Array.isArray(value) ? 0 : measureJsonLength(name) + 1) + measureJsonLength(member) + 1;
    if (length > maxEchoLength) return length;
  }
  return Math.max(length, 2);
}
