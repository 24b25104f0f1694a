import { isJsonObject, type JsonObject, measureJson } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import type { Reply } from '../http/messages.ts';
import type { ValueCheck } from '../models/served-model.ts';
import { validationEntries } from '../models/validation-entries.ts';
import { parseJson } from '../parse-json.ts';
import { invalidInput, validationFailed } from './errors.ts';

/** A body that is not a JSON object is a 400: there is no field to name in a 422 (MR-STC-01). */
export function parseInput(bytes: Bytes): { input: JsonObject } | Reply {
  const because = whyTooMuch(bytes);
  if (because !== undefined) return invalidInput(`The request body ${because}.`);
  const input = parseJson(bytes);
  if (input === undefined) return invalidInput('The request body is not valid JSON in UTF-8.');
  return isJsonObject(input) ? { input } : invalidInput('The request body must be a JSON object.');
}

const deepestLevel = 500; // more than any model needs, and what a recursive schema check survives
const mostValues = 200_000; // every caller waits while they are read, checked and sorted

/** Why a JSON text is not read; undefined when it may be. */
export function whyTooMuch(bytes: Bytes): string | undefined {
  const { deepest, values } = measureJson(bytes);
  if (deepest > deepestLevel) return 'is nested too deeply';
  return values > mostValues ? `holds more than ${mostValues} values` : undefined;
}

/** Without a check the schema is unauthored, and any object is valid. */
export function refuseInput(input: JsonObject, check: ValueCheck | undefined): Reply | undefined {
  const violations = check?.(input) ?? [];
  return violations.length === 0 ? undefined : validationFailed(validationEntries(violations, input));
}
