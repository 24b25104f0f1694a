import {
  type Brand,
  extensionKey,
  flattenSchema,
  followReference,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readSchema,
  type Schema,
  type SchemaWithDefinitions,
} from '../../../specs/src/index.ts';

/** A schema as the document says it, for validation, and in canonical form, for everything else. */
export type ModelSchema = { raw: Schema; canonical: SchemaWithDefinitions };
export type OutputContent = ModelSchema & { mediaType: string; examples: readonly JsonValue[] };
export type Alternate = { provider: string; modelId: string };

/** What the sandbox needs of a model's schema document. */
export type ModelDocument = {
  root: JsonObject;
  /** Absent when the document says that its input is unauthored, or describes none. */
  input: ModelSchema | undefined;
  /** Never empty: a document that names no output gets an open object under any media type. */
  outputs: readonly [OutputContent, ...OutputContent[]];
  outputModalities: readonly string[];
  alternates: readonly Alternate[];
};

export function parseModelDocument(root: JsonObject, brand: Brand): ModelDocument {
  const operation = findOperation(root);
  const flag = (name: string): JsonValue | undefined => {
    const key = extensionKey(brand, name);
    // Where the key sits is not documented: NS-27.
    return [root, root['info'], operation].map((place) => memberOf(place, key)).find((value) => value !== undefined);
  };
  const anyObject = { mediaType: '*/*', examples: [], ...readModelSchema(root, { type: 'object' }) };
  const [first = anyObject, ...others] = readOutputs(root, operation);
  return {
    root,
    input: flag('input-schema-authored') === false ? undefined : readInput(root, operation),
    outputs: [first, ...others],
    outputModalities: listOf(flag('router-output-modalities')).filter((word) => typeof word === 'string'),
    alternates: listOf(flag('router-alt-providers')).flatMap(readAlternate),
  };
}

function findOperation(root: JsonObject): JsonObject {
  const items = Object.values(asObject(root['paths']));
  const operations = items.map((item) => asObject(item)['post']).filter(isJsonObject);
  return operations.find((operation) => Object.hasOwn(operation, 'requestBody')) ?? operations[0] ?? {};
}

function readInput(root: JsonObject, operation: JsonObject): ModelSchema | undefined {
  const content = contentOf(root, operation['requestBody']);
  const schema = memberOf(content.find(([type]) => /json/.test(type))?.[1], 'schema');
  return isSchema(schema) ? readModelSchema(root, schema) : undefined;
}

function readOutputs(root: JsonObject, operation: JsonObject): OutputContent[] {
  return contentOf(root, asObject(operation['responses'])['200']).map(([mediaType, media]) => {
    const declared = memberOf(media, 'schema');
    const schema = readModelSchema(root, isSchema(declared) ? declared : true);
    const named = Object.values(asObject(memberOf(media, 'examples'))).map((example) => memberOf(example, 'value'));
    const examples = [memberOf(media, 'example'), ...named, ...(flattenSchema(schema.canonical).examples ?? [])];
    return { mediaType, ...schema, examples: examples.filter((example) => example !== undefined) };
  });
}

function readModelSchema(root: JsonObject, raw: Schema): ModelSchema {
  return { raw, canonical: readSchema(root, raw) };
}

function contentOf(root: JsonObject, holder: JsonValue | undefined): [mediaType: string, media: JsonValue][] {
  const followed = followReference(root, holder);
  return followed.kind === 'found' ? Object.entries(asObject(memberOf(followed.value, 'content'))) : [];
}

function readAlternate(entry: JsonValue): Alternate[] {
  const provider = memberOf(entry, 'provider');
  const modelId = memberOf(entry, 'model_id');
  return typeof provider === 'string' && typeof modelId === 'string' ? [{ provider, modelId }] : [];
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === 'boolean' || isJsonObject(value);
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
