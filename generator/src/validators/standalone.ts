import { type CanonicalSchema, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { TypeName } from '../model/identifiers.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { isJsonMediaType } from '../model/schema-document.ts';
import { toJsonSchema } from './json-schema.ts';

type Definitions = ModelBinding['schemas']['definitions'];

/**
 * A schema without annotations, with the definitions it leads to and names that follow from its shape alone: equal schemas of two
 * documents come out as the same text.
 */
function standalone(schema: CanonicalSchema, definitions: Definitions): JsonValue {
  const names = new Map<TypeName, string>();
  const pending: TypeName[] = [];
  const nameOf = (name: TypeName): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const given = `s${names.size}`;
    names.set(name, given);
    pending.push(name);
    return given;
  };
  const conversion = { annotated: false, nameOf };
  const converted = toJsonSchema(schema, conversion);
  const defs: JsonObject = {};
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    defs[nameOf(name)] = toJsonSchema(definitions.get(name) ?? {}, conversion);
  }
  return isJsonObject(converted) && names.size > 0 ? { ...converted, $defs: defs } : converted;
}

/** What the router checks an input by: any object where the input is not authored. It takes objects only (MR-RUN-15). */
export function inputSchemaOf({ inputAuthored, schemas }: ModelBinding): JsonValue {
  if (!inputAuthored) return { type: 'object' };
  const converted = standalone(schemas.input, schemas.definitions);
  if (converted === true) return { type: 'object' };
  if (!isJsonObject(converted)) return converted;
  const { type } = converted;
  const takesObjects = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  return takesObjects ? { ...converted, type: 'object' } : false;
}

/** What a JSON output should be; nothing where the model answers no JSON. */
export function outputSchemaOf({ schemas }: ModelBinding): JsonValue | undefined {
  const outputs = schemas.outputs.filter(({ mediaType }) => isJsonMediaType(mediaType)).map(({ schema }) => schema);
  const [only] = outputs;
  if (only === undefined) return undefined;
  return standalone(outputs.length === 1 ? only : { anyOf: outputs }, schemas.definitions);
}

/** Everything that a document says of its model, as one JSON Schema document: for people, tools and comparisons. */
export function schemaDataOf(model: ModelBinding): JsonObject {
  const { input, outputs, definitions } = model.schemas;
  const conversion = { annotated: true, nameOf: (name: TypeName) => name };
  const convert = (schema: CanonicalSchema): JsonValue => toJsonSchema(schema, conversion);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    id: model.modelId,
    inputAuthored: model.inputAuthored,
    outputAuthored: model.outputAuthored,
    ...(model.aliasOf === undefined ? {} : { aliasOf: model.aliasOf }),
    providers: { default: model.providers.default, alternates: model.providers.alternates.map((one) => ({ ...one })) },
    input: convert(input),
    outputs: Object.fromEntries(outputs.map(({ mediaType, schema }) => [mediaType, convert(schema)])),
    $defs: Object.fromEntries([...definitions].map(([name, schema]) => [name, convert(schema)])),
  };
}
