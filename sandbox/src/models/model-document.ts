import {
  type Brand,
  canonicalText,
  extensionKey,
  flattenSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readModelOperation,
  readSchema,
  type Schema,
  type SchemaWithDefinitions,
  type Side,
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
  /** The first output's example for each example of the input that has the same name, by the input's canonical text. */
  outputByInput: ReadonlyMap<string, JsonValue>;
  outputModalities: readonly string[];
  alternates: readonly Alternate[];
};

export function parseModelDocument(root: JsonObject, brand: Brand, modelId?: string): ModelDocument {
  const { input, outputs = [], extension } = readModelOperation(root, modelId) ?? {};
  const flag = (name: string): JsonValue | undefined => extension?.(extensionKey(brand, name));
  const isAuthored = flag('input-schema-authored') !== false && input?.schema !== undefined;
  const anyObject = { mediaType: '*/*', examples: [], ...readModelSchema(root, { type: 'object' }, 'output') };
  const [first = anyObject, ...others] = outputs.map(({ mediaType, schema, examples }): OutputContent => {
    const described = readModelSchema(root, schema, 'output');
    const ofSchema = flattenSchema(described.canonical).examples ?? [];
    return { mediaType, ...described, examples: [...examples, ...ofSchema] };
  });
  return {
    root,
    input: isAuthored ? readModelSchema(root, input.schema, 'input') : undefined,
    outputs: [first, ...others],
    outputByInput: pairExamples(input?.namedExamples, outputs[0]?.namedExamples),
    outputModalities: toList(flag('router-output-modalities')).filter((word) => typeof word === 'string'),
    alternates: toList(flag('router-alt-providers')).flatMap(readAlternate),
  };
}

type Named = ReadonlyMap<string, JsonValue>;

function pairExamples(inputs: Named = new Map(), outputs: Named = new Map()): Named {
  const pairs = [...inputs].slice(0, pairsAtMost).flatMap(([name, input]): [string, JsonValue][] => {
    const output = outputs.get(name);
    return output === undefined ? [] : [[canonicalText(input), output]];
  });
  return new Map(pairs);
}

const pairsAtMost = 1000;

function readModelSchema(root: JsonObject, schema: JsonValue | undefined, side: Side): ModelSchema {
  const raw = isJsonObject(schema) || typeof schema === 'boolean' ? schema : true;
  return { raw, canonical: readSchema(root, raw, side) };
}

function readAlternate(entry: JsonValue): Alternate[] {
  if (!isJsonObject(entry)) return [];
  const { provider, model_id: modelId } = entry;
  return typeof provider === 'string' && typeof modelId === 'string' ? [{ provider, modelId }] : [];
}

function toList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
