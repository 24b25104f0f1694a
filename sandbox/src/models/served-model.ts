import type { ValidationFailure } from '../../../runtime/src/validation/failure.ts';
import { createValidator, type Validator } from '../../../runtime/src/validation/validator.ts';
import {
  applyBrand,
  type Brand,
  bundleJsonSchema,
  type CanonicalSchema,
  canonicalText,
  createSampler,
  createSchemaReader,
  defaultBrand,
  extensionKey,
  flattenSchema,
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LargeIntegers,
  linearPattern,
  type ModelOperation,
  parseWithLargeIntegers,
  pointerAsName,
  printInputSchema,
  readModelOperation,
  type SampleCheck,
  type Sampler,
  type Schema,
  type SchemaWithDefinitions,
} from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { parseJson } from '../parse-json.ts';

/** A model of the catalog: `bytes` is its schema document exactly as served while the brand is `Service`. */
export type CatalogModel = { id: string; billing: string; bytes: Uint8Array };

/** Steps of one check, about a quarter of a second: every caller waits for it. What is not checked by then is accepted. */
const maxSteps = 5_000_000;
/** Bounds beyond 2^53 as texts, so that they are compared and reported with all of their digits. */
const exact = { largeIntegers: 'text' } as const;
const accepts = (validator: Validator, value: JsonValue): boolean => validator.accepts(value, { maxSteps });
const findFailures = (validator: Validator, value: unknown): readonly ValidationFailure[] => {
  const result = validator.validate(value, { maxSteps });
  return result.valid ? [] : result.detail;
};

/** Lists the failures of an input in the order of its fields; integers beyond 2^53 are expected as bigint. */
export type InputCheck = (input: unknown) => readonly ValidationFailure[];
export type OutputContent = {
  mediaType: string;
  canonical: SchemaWithDefinitions;
  examples: readonly JsonValue[];
  accepts: (value: JsonValue) => boolean;
  check: SampleCheck;
  sample: Sampler;
};
export type Alternate = { provider: string; modelId: string };

export type ModelDocument = Readonly<ReturnType<typeof parseModelDocument>>;

/** Reads the parts of a model's schema document that the sandbox needs. */
export function parseModelDocument(
  root: JsonObject,
  brand: Brand,
  { modelId, integers = new Map() }: { modelId?: string; integers?: LargeIntegers } = {},
) {
  const { input, outputs = [], extension } = readModelOperation(root, modelId) ?? {};
  const flag = (name: string): JsonValue | undefined => extension?.(extensionKey(brand, name));
  const isAuthored = flag('input-schema-authored') !== false && input?.schema !== undefined;
  const schemas = readSchemas(root, integers, { input, outputs });
  const { definitions, readPattern } = schemas;
  const own = { schema: schemas.input, definitions };
  const described = (schema: CanonicalSchema, mediaType: string, examples: readonly JsonValue[]): OutputContent => {
    const validator = once(() => createValidator(asSchema(bundleJsonSchema(schema, definitions)), readPattern));
    const canonical = { schema, definitions };
    const all = [...examples, ...(flattenSchema(canonical).examples ?? [])];
    const check: SampleCheck = (value) =>
      findFailures(validator(), value).map(({ loc }) => ({ pointer: formatPointer(loc.map(String)) }));
    const isAccepted = (value: JsonValue): boolean => accepts(validator(), value);
    const compilePart = (part: Schema) => createValidator(asSchema(part), readPattern).accepts;
    return {
      mediaType,
      canonical,
      examples: all,
      accepts: isAccepted,
      check,
      sample: createSampler(canonical, compilePart),
    };
  };
  const [first = described({ type: ['object'] }, '*/*', []), ...others] = outputs.map(
    ({ mediaType, examples }, index) => described(schemas.outputs[index] ?? {}, mediaType, examples),
  );
  const checkInput = once(() => createValidator(printInputSchema(own, exact), readPattern));
  const checkMembers = once(() => {
    const { properties = new Map() } = flattenSchema(own);
    return createValidator(asSchema(bundleJsonSchema({ properties }, definitions, exact)), readPattern);
  });
  return {
    root,
    /** Absent when the document says that its input is unauthored, or describes none. */
    input: isAuthored
      ? {
          canonical: own,
          check: ((value) => findFailures(checkInput(), value)) satisfies InputCheck,
          /** Checks the described members of an input, whatever else it has. */
          checkMembers: ((value) => findFailures(checkMembers(), value)) satisfies InputCheck,
        }
      : undefined,
    /** Never empty: a document that names no output gets an open object under any media type. */
    outputs: [first, ...others] as const,
    /** The first output's example for each example of the input that has the same name, by the input's canonical text. */
    outputByInput: pairExamples(input?.namedExamples, outputs[0]?.namedExamples),
    outputModalities: toList(flag('router-output-modalities')).filter((word) => typeof word === 'string'),
    alternates: toList(flag('router-alt-providers')).flatMap(readAlternate),
  };
}

type Content = ModelOperation['outputs'][number];

/** Reads the schemas as the generator does, so that its validators and the sandbox report the same failures. */
function readSchemas(
  root: JsonObject,
  integers: LargeIntegers,
  { input, outputs }: { input: Content | undefined; outputs: readonly Content[] },
) {
  const reader = createSchemaReader(root, {
    claimName: (_, pointer) => pointerAsName(pointer),
    integers,
    report: () => {},
  });
  const read = (content: Content | undefined): CanonicalSchema =>
    content?.schema === undefined ? {} : reader.read(content.schema, content.pointer);
  const found = { inputs: [read(input)], outputs: outputs.map(read) };
  let copies = 0;
  const sides = reader.bySide(found, (name) => pointerAsName(`${name} ${++copies}`));
  const unread = reader.unreadPatterns();
  return {
    input: sides.inputs[0] ?? {},
    outputs: sides.outputs,
    definitions: sides.definitions,
    readPattern: (pattern: string) => (unread.has(pattern) ? undefined : linearPattern(pattern)),
  };
}

function asSchema(printed: JsonValue): JsonObject | boolean {
  return isJsonObject(printed) ? printed : printed === true;
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
  const read = once(() => readDocument(model.bytes, brand));
  const document = once(() => {
    const { root, integers } = read() ?? {};
    return root && integers && parseModelDocument(root, brand, { modelId: model.id, integers });
  });
  return {
    id: model.id,
    provider: model.id.slice(0, slash),
    model: model.id.slice(slash + 1),
    billing: model.billing,
    snapshot: once((): Snapshot => {
      const branded = brand === defaultBrand ? undefined : read();
      const bytes = branded === undefined ? new Uint8Array(model.bytes) : new TextEncoder().encode(branded.text);
      return { bytes, entityTag: `"${sha256(bytes)}"` };
    }),
    /** Undefined when the bytes hold no JSON object. */
    document,
    /** Undefined when the input is unauthored. */
    checkInput: (): InputCheck | undefined => document()?.input?.check,
  };
}

type ReadDocument = { readonly text: string; readonly root: JsonObject; readonly integers: LargeIntegers };

/** Undefined when the bytes are not a JSON object in UTF-8. The brand is set in the strings only, so numbers keep their digits. */
function readDocument(bytes: Uint8Array, brand: Brand): ReadDocument | undefined {
  if (!isJsonObject(parseJson(bytes))) return undefined;
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
      /service-/i.test(string) ? JSON.stringify(applyBrand(JSON.parse(string), brand)) : string,
    );
  const { value, integers } = parseWithLargeIntegers(text);
  return isJsonObject(value) ? { text, root: value, integers } : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
