import { isJsonObject, type JsonObject, type JsonValue, type Schema } from '../../../specs/src/index.ts';
import { mergedSchema } from './merged-schema.ts';
import { type ModelDocument, memberOf } from './model-document.ts';
import { compileCheck } from './served-model.ts';

/**
 * An alternate's result in the native contract: as it is where that fits, else without the members that the native contract
 * does not describe. Undefined when neither fits (MR-RUN-24, MR-RUN-25).
 */
export function convertOutput(value: JsonValue, native: ModelDocument): JsonValue | undefined {
  const content = native.outputs.find(({ mediaType }) => /json|^\*\/\*$/i.test(mediaType));
  if (content === undefined) return undefined;
  const check = compileCheck(content.schema, native.root);
  const fits = (candidate: JsonValue): boolean => check === undefined || check(candidate).length === 0;
  if (fits(value)) return value;
  const trimmed = trim(value, content.schema, native.root);
  return fits(trimmed) ? trimmed : undefined;
}

function trim(value: JsonValue, schema: JsonValue | Schema | undefined, root: JsonObject): JsonValue {
  const merged = mergedSchema(root, schema);
  if (Array.isArray(value)) return value.map((inner) => trim(inner, merged['items'], root));
  const properties = merged['properties'];
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const kept = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, trim(inner, memberOf(properties, name), root)]));
}
