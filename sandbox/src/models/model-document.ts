import {
  type Brand,
  extensionKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
  type Schema,
} from '../../../specs/src/index.ts';

export type OutputContent = { mediaType: string; schema: Schema; examples: readonly JsonValue[] };
export type Alternate = { provider: string; modelId: string };

/** What the sandbox needs of a model's schema document. */
export type ModelDocument = {
  root: JsonObject;
  /** Absent when the document says that its input is unauthored, or describes none. */
  inputSchema: Schema | undefined;
  /** Never empty: a document that names no output gets an open object under any media type. */
  outputs: readonly [OutputContent, ...OutputContent[]];
  outputModalities: readonly string[];
  alternates: readonly Alternate[];
};

const anyObject: OutputContent = { mediaType: '*/*', schema: { type: 'object' }, examples: [] };

export function parseModelDocument(root: JsonObject, brand: Brand): ModelDocument {
  const operation = findOperation(root);
  const flag = (name: string): JsonValue | undefined => {
    const key = extensionKey(brand, name);
    // Where the key sits is not documented: NS-27.
    return [root, root['info'], operation].map((place) => memberOf(place, key)).find((value) => value !== undefined);
  };
  const [first = anyObject, ...others] = readOutputs(root, operation);
  return {
    root,
    inputSchema: flag('input-schema-authored') === false ? undefined : readInputSchema(root, operation),
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

function readInputSchema(root: JsonObject, operation: JsonObject): Schema | undefined {
  const content = asObject(asObject(dereference(root, operation['requestBody']))['content']);
  const media = Object.entries(content).find(([type]) => /json/.test(type))?.[1];
  const schema = memberOf(media, 'schema');
  return isSchema(schema) ? schema : undefined;
}

function readOutputs(root: JsonObject, operation: JsonObject): OutputContent[] {
  const responses = asObject(operation['responses']);
  const content = asObject(asObject(dereference(root, responses['200']))['content']);
  return Object.entries(content).map(([mediaType, media]) => {
    const schema = memberOf(media, 'schema');
    return { mediaType, schema: isSchema(schema) ? schema : true, examples: examplesOf(root, media) };
  });
}

function examplesOf(root: JsonObject, media: JsonValue | undefined): JsonValue[] {
  const named = Object.values(asObject(memberOf(media, 'examples'))).map((example) => memberOf(example, 'value'));
  const schema = dereference(root, memberOf(media, 'schema'));
  const within = [memberOf(schema, 'example'), ...listOf(memberOf(schema, 'examples'))];
  return [memberOf(media, 'example'), ...named, ...within].filter((example) => example !== undefined);
}

function readAlternate(entry: JsonValue): Alternate[] {
  const provider = memberOf(entry, 'provider');
  const modelId = memberOf(entry, 'model_id');
  return typeof provider === 'string' && typeof modelId === 'string' ? [{ provider, modelId }] : [];
}

/** The target of a local `$ref`, followed a few times at most; what is no reference stays as it is. */
export function dereference(root: JsonObject, value: JsonValue | undefined): JsonValue | undefined {
  let current = value;
  for (let step = 0; step < 8; step += 1) {
    const reference = memberOf(current, '$ref');
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return current;
    current = resolvePointer(root, decodeFragment(reference.slice(1)));
  }
  return undefined;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

export function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
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
