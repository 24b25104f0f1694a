import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
  type Schema,
} from '../../../specs/src/index.ts';

/** Changes of a valid input, one at a time; the first that the model's own schema refuses is a bad input worth sending. */
export function invalidInputOf(
  valid: JsonObject,
  schema: Schema,
  source: { readonly root: JsonObject; readonly isValid: (value: JsonObject) => boolean },
): JsonObject | undefined {
  const target = followed(schema, source.root);
  const required = Array.isArray(target['required'])
    ? target['required'].filter((name) => typeof name === 'string')
    : [];
  const declared = isJsonObject(target['properties']) ? Object.keys(target['properties']) : [];
  const candidates = [
    ...required.map((name) => without(valid, name)),
    ...[...declared, ...Object.keys(valid)].flatMap((name) =>
      wrongValues.map((wrong) => ({ ...valid, [name]: wrong })),
    ),
  ];
  return candidates.find((candidate) => !source.isValid(candidate));
}

const wrongValues: readonly JsonValue[] = [{ unexpected: true }, -1, [[]]];

function without(input: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));
}

function followed(schema: Schema, root: JsonObject): JsonObject {
  if (typeof schema === 'boolean') return {};
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const target = resolvePointer(root, decodeURI(reference.slice(1)));
  return isJsonObject(target) ? target : {};
}
