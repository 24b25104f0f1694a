import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import type { Reply } from '../http/handler.ts';
import type { ValueCheck } from '../models/served-model.ts';
import { validationEntries } from '../models/validation-entries.ts';
import { invalidInput, validationFailed } from './errors.ts';

/** A body that is not a JSON object is a 400: there is no field to name in a 422 (MR-STC-01). */
export function parseInput(bytes: Bytes): { input: JsonObject } | Reply {
  const input = parseJson(bytes);
  if (input === undefined) return invalidInput('The request body is not valid JSON in UTF-8.');
  if (!isJsonObject(input)) return invalidInput('The request body must be a JSON object.');
  return isTooDeep(input) ? invalidInput('The request body is nested too deeply.') : { input };
}

const deepestLevel = 500; // more than any model needs, and what a recursive schema check survives

export function isTooDeep(value: JsonObject): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestLevel) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined for bytes that are not JSON in UTF-8. */
export function parseJson(bytes: Bytes): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(utf8.decode(bytes));
    return value;
  } catch {
    return undefined;
  }
}

/** Without a check the schema is unauthored, and any object is valid. */
export function refuseInput(input: JsonObject, check: ValueCheck | undefined): Reply | undefined {
  const violations = check?.(input) ?? [];
  return violations.length === 0 ? undefined : validationFailed(validationEntries(violations, input));
}
