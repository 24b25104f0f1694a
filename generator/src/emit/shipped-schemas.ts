import {
  bundleJsonSchema,
  type CanonicalSchema,
  isJsonMediaType,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  printInputSchema,
  printJsonSchema,
  requireObject,
} from '../../../specs/src/index.ts';
import type { ModelBinding } from '../model/model-binding.ts';
import { describeAsObject } from './describe-input.ts';

type Integers = { readonly largeIntegers?: 'text' };

/** Prints the schema for the input validator. If the document doesn't describe the input, the schema accepts any object. */
export function printValidatedInput({ inputAuthored, schemas }: ModelBinding, options?: Integers): JsonValue {
  return inputAuthored ? printInputSchema({ ...schemas, schema: schemas.input }, options) : { type: 'object' };
}

/** Prints the input schema for agents and forms: one plain object with descriptions. */
export function printAnnotatedInputSchema({ schemas: { input, definitions } }: ModelBinding): JsonObject {
  const root = describeAsObject(input, definitions);
  const printed = requireObject(bundleJsonSchema(root, definitions, { annotated: true }));
  if (printed === false) return { type: 'object', additionalProperties: false };
  const { properties } = printed;
  if (!isJsonObject(properties)) return printed;
  // Tool APIs reject `true` as the schema of a member.
  const members = Object.entries(properties).map(([name, part]) => [name, part === true ? {} : part] as const);
  return { ...printed, properties: Object.fromEntries(members) };
}

/** Prints the schema for the output validator; undefined if the model has no JSON output. */
export function printOutputSchema({ schemas }: ModelBinding, options?: Integers): JsonValue | undefined {
  const outputs = schemas.outputs.filter(({ mediaType }) => isJsonMediaType(mediaType)).map(({ schema }) => schema);
  const [only] = outputs;
  if (only === undefined) return undefined;
  return bundleJsonSchema(outputs.length === 1 ? only : { anyOf: outputs }, schemas.definitions, {
    titled: true,
    ...options,
  });
}

/** Prints the contents of `schema.json`: all facts and schemas of a model as one JSON Schema document. */
export function printSchemaData(model: ModelBinding): JsonObject {
  const { details, schemas } = model;
  const { input, outputs, definitions } = schemas;
  const print = (schema: CanonicalSchema): JsonValue =>
    printJsonSchema(schema, { annotated: true, largeIntegers: 'raw', printName: (name) => name });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    id: model.modelId,
    inputAuthored: model.inputAuthored,
    outputAuthored: model.outputAuthored,
    ...(model.aliasOf === undefined ? {} : { aliasOf: model.aliasOf }),
    providers: model.providers,
    modalities: {
      ...(details['inputModalities'] === undefined ? {} : { input: details['inputModalities'] }),
      ...(details['outputModalities'] === undefined ? {} : { output: details['outputModalities'] }),
    },
    input: print(input),
    outputs: Object.fromEntries(outputs.map(({ mediaType, schema }) => [mediaType, print(schema)])),
    operation: printOperation(model, print),
    $defs: Object.fromEntries([...definitions].map(([name, schema]) => [name, print(schema)])),
  };
}

/** Prints the model's operation like in OpenAPI, except that security schemes are described instead of named. */
function printOperation({ operation }: ModelBinding, print: (schema: CanonicalSchema) => JsonValue): JsonObject {
  const { parameters, requestMediaTypes, responses, security } = operation;
  const printed = parameters.map(({ schema, serialisation, ...named }) => ({
    ...named,
    ...serialisation,
    schema: print(schema),
  }));
  return {
    ...(printed.length === 0 ? {} : { parameters: printed }),
    requestBody: { content: objectWithKeys(requestMediaTypes) },
    responses: Object.fromEntries(
      [...responses].map(([status, headers]) => [
        status,
        headers.length === 0 ? {} : { headers: objectWithKeys(headers) },
      ]),
    ),
    security,
  };
}

function objectWithKeys(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, {}]));
}
