import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import { go, type HandlerStep, stop } from '../http/handler.ts';
import type { ValueCheck } from '../models/served-model.ts';
import { validationEntries } from '../models/validation-entries.ts';
import { invalidInput, validationFailed } from './errors.ts';

/** A body that is not a JSON object is a 400: there is no field to name in a 422 (MR-STC-01). */
export function parseInput(bytes: Bytes): HandlerStep<JsonObject> {
  const value = parseJson(bytes);
  if (value === undefined) return stop(invalidInput('The request body is not valid JSON in UTF-8.'));
  if (!isJsonObject(value)) return stop(invalidInput('The request body must be a JSON object.'));
  return isTooDeep(value) ? stop(invalidInput('The request body is nested too deeply.')) : go(value);
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
export function validateInput(input: JsonObject, check: ValueCheck | undefined): HandlerStep<JsonObject> {
  const violations = check?.(input) ?? [];
  if (violations.length === 0) return go(input);
  return stop(validationFailed(validationEntries(violations, input)));
}
