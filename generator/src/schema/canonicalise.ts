import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { anything, type CanonicalSchema, nothing } from './canonical-schema.ts';
import { limitKeywords, readers } from './keyword-readers.ts';
import { complain, type Place, within } from './place.ts';
import { repairs } from './repairs.ts';

const deepest = 256;

/** Any JSON value, read as a schema of any OpenAPI 3 dialect. What cannot be read accepts everything, with a diagnostic. */
export function canonicalise(raw: JsonValue, place: Place): CanonicalSchema {
  if (raw === true) return anything;
  if (raw === false) return nothing;
  if (!isJsonObject(raw)) return unreadable(place, 'schema-malformed', 'is no schema');
  if (place.depth > deepest) return unreadable(place, 'schema-too-deep', `lies deeper than ${deepest} steps`);
  if (place.document.budget-- <= 0) return unreadable(place, 'schema-too-large', 'comes after too many others');
  let schema = readKeywords(raw, place);
  for (const rule of repairs) {
    if (rule.applies(raw)) schema = rule.apply(schema, { raw, place, read: canonicalise });
  }
  return schema;
}

function readKeywords(raw: JsonObject, place: Place): CanonicalSchema {
  const schema: CanonicalSchema = {};
  let limits: Map<string, JsonValue> | undefined;
  for (const keyword of Object.keys(raw)) {
    const value = raw[keyword] ?? null;
    const read = readers.get(keyword);
    if (read !== undefined) Object.assign(schema, read(value, within(place, keyword), canonicalise));
    if (limitKeywords.has(keyword)) {
      limits ??= new Map();
      limits.set(keyword, value);
    }
  }
  if (limits !== undefined) schema.limits = limits;
  return schema;
}

function unreadable(place: Place, code: string, problem: string): CanonicalSchema {
  complain(place, code, `this part ${problem}; it accepts any value in the generated types`);
  return anything;
}
