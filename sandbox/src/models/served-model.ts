import {
  applyBrand,
  type Brand,
  bundleJsonSchema,
  canonicalText,
  compileSchema,
  createSampler,
  defaultBrand,
  extensionKey,
  flattenSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readModelOperation,
  readSchema,
  type Sampler,
  type Schema,
  type SchemaCheck,
  type SchemaWithDefinitions,
  type Side,
} from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { parseJson } from '../parse-json.ts';

/** A model of the catalog: `bytes` is its schema document exactly as served while the brand is `Service`. */
export type CatalogModel = { id: string; billing: string; bytes: Uint8Array };

/** A schema as the document says it, for validation, and in canonical form, for everything else. */
export type ModelSchema = { raw: Schema; canonical: SchemaWithDefinitions };
export type OutputContent = ModelSchema & {
  mediaType: string;
  examples: readonly JsonValue[];
  sample: Sampler;
  /** Undefined when its schema cannot be compiled. */
  check: () => SchemaCheck | undefined;
};
export type Alternate = { provider: string; modelId: string };

export type ModelDocument = Readonly<ReturnType<typeof parseModelDocument>>;

/** What the sandbox needs of a model's schema document. */
export function parseModelDocument(root: JsonObject, brand: Brand, modelId?: string) {
  const { input, outputs = [], extension } = readModelOperation(root, modelId) ?? {};
  const flag = (name: string): JsonValue | undefined => extension?.(extensionKey(brand, name));
  const isAuthored = flag('input-schema-authored') !== false && input?.schema !== undefined;
  const described = isAuthored ? readModelSchema(root, input.schema, 'input') : undefined;
  const readOutput = (mediaType: string, schema: JsonValue | undefined, given: readonly JsonValue[]): OutputContent => {
    const described = readModelSchema(root, schema, 'output');
    const examples = [...given, ...(flattenSchema(described.canonical).examples ?? [])];
    const check = once(() => compileCheck(described.raw, { root, side: 'output' }));
    return { mediaType, ...described, examples, sample: createSampler(described.canonical), check };
  };
  const anyObject = readOutput('*/*', { type: 'object' }, []);
  const [first = anyObject, ...others] = outputs.map(({ mediaType, schema, examples }) =>
    readOutput(mediaType, schema, examples),
  );
  return {
    root,
    /** Absent when the document says that its input is unauthored, or describes none. */
    input: described,
    /** Checks the described members of an input, whatever else it has. Undefined when none is, or they cannot be compiled. */
    checkMembers: once(() => described && compileMembers(described.canonical)),
    /** Never empty: a document that names no output gets an open object under any media type. */
    outputs: [first, ...others] as const,
    /** The first output's example for each example of the input that has the same name, by the input's canonical text. */
    outputByInput: pairExamples(input?.namedExamples, outputs[0]?.namedExamples),
    outputModalities: toList(flag('router-output-modalities')).filter((word) => typeof word === 'string'),
    alternates: toList(flag('router-alt-providers')).flatMap(readAlternate),
  };
}

// All in one: a document may describe thousands of members, and all that each of them refers to.
function compileMembers(canonical: SchemaWithDefinitions): SchemaCheck | undefined {
  const { properties } = flattenSchema(canonical);
  const bundled = properties === undefined ? true : bundleJsonSchema({ properties }, canonical.definitions);
  return isJsonObject(bundled) ? compileCheck(bundled, { root: bundled }) : undefined;
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

/** The schema document as sent, with the strong entity tag over those bytes (MR-SCH-08, MR-SCH-09). */
export type Snapshot = { bytes: Bytes; entityTag: string };

export type ServedModel = Readonly<ReturnType<typeof readModel>>;

export function serveModel(model: CatalogModel, brand: Brand): ServedModel {
  const earlier = served.get(model.bytes) ?? new Map<string, ServedModel>();
  const key = [brand, model.id, model.billing].join(' ');
  const one = earlier.get(key) ?? readModel(model, brand);
  served.set(model.bytes, earlier.set(key, one));
  return one;
}

// A catalog used by many sandboxes is parsed and compiled once.
const served = new WeakMap<Uint8Array, Map<string, ServedModel>>();

/** One model of the catalog; what is expensive is done on first use and kept. */
function readModel(model: CatalogModel, brand: Brand) {
  const slash = model.id.indexOf('/');
  const root = once(() => parseRoot(model.bytes, brand));
  const document = once(() => {
    const value = root();
    return value === undefined ? undefined : parseModelDocument(value, brand, model.id);
  });
  const checkInput = once((): SchemaCheck | undefined => {
    const parsed = document();
    return parsed?.input && compileCheck(parsed.input.raw, { root: parsed.root, side: 'input' });
  });
  return {
    id: model.id,
    provider: model.id.slice(0, slash),
    model: model.id.slice(slash + 1),
    billing: model.billing,
    snapshot: once(() => takeSnapshot(model.bytes, brand, root)),
    /** Undefined when the bytes hold no JSON object. */
    document,
    /** Undefined when the input is unauthored, or its schema cannot be compiled. */
    checkInput,
    /** Why no input can be checked; undefined when they can. */
    inputProblem: (): string | undefined =>
      document()?.input === undefined || checkInput() !== undefined
        ? undefined
        : `${model.id}: the schema of its input cannot be compiled, so no input can be checked`,
  };
}

/**
 * Parts of the schema that cannot be read, such as a reference that leads nowhere, accept every value. Undefined when the
 * schema cannot be compiled even so.
 */
export function compileCheck(schema: Schema, source: { root: JsonObject; side?: Side }): SchemaCheck | undefined {
  try {
    return compileSchema(schema, { ...source, unreadable: 'accept' });
  } catch {
    return undefined;
  }
}

function takeSnapshot(bytes: Uint8Array, brand: Brand, root: () => JsonObject | undefined): Snapshot {
  const value = brand === defaultBrand ? undefined : root();
  const served =
    value === undefined ? new Uint8Array(bytes) : new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  return { bytes: served, entityTag: `"${sha256(served)}"` };
}

function parseRoot(bytes: Uint8Array, brand: Brand): JsonObject | undefined {
  const value = parseJson(bytes);
  const branded = value === undefined ? undefined : applyBrand(value, brand);
  return isJsonObject(branded) ? branded : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
