import type { ValidationFailure } from '../../../runtime/src/validation/check.ts';
import { createValidator, type Validator } from '../../../runtime/src/validation/validator.ts';
import {
  applyBrand,
  asObject,
  type Brand,
  bundleJsonSchema,
  type CanonicalSchema,
  canonicalText,
  createSampler,
  createSchemaReader,
  defaultBrand,
  extensionKey,
  flattenSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  linearPattern,
  listBodyKinds,
  type ModelOperation,
  pointerAsName,
  printInputSchema,
  readModelOperation,
  type Sampler,
  type SchemaWithDefinitions,
} from '../../../specs/src/index.ts';
import { type Bytes, sha256 } from '../digest.ts';
import { parseJson } from '../parse-json.ts';
import { createRandom } from '../random.ts';
import { chooseMediaType, generateMedia } from './media-samples.ts';

/** A model of the catalog. `bytes`: its schema document, which is served unchanged if the brand is `Service`. */
export type CatalogModel = { id: string; billing: string; bytes: Uint8Array };

/**
 * Maximum number of steps of a check, about a quarter of a second, because other callers wait during a check. Parts of a value that
 * a check does not reach are accepted.
 */
const maxSteps = 5_000_000;
const findFailures = (validator: Validator, value: unknown): readonly ValidationFailure[] => {
  const result = validator.validate(value, { maxSteps });
  return result.valid ? [] : result.detail;
};

/** Returns the violations of an input's schema, in the order of the fields. */
export type InputCheck = (input: unknown) => readonly ValidationFailure[];
export type InputContent = {
  readonly canonical: SchemaWithDefinitions;
  readonly check: InputCheck;
  /** Only checks members that the schema describes; missing and additional members are accepted. */
  readonly checkMembers: InputCheck;
};
export type OutputContent = {
  readonly mediaType: string;
  readonly canonical: SchemaWithDefinitions;
  readonly examples: readonly JsonValue[];
  readonly accepts: (value: JsonValue) => boolean;
  readonly sample: Sampler;
};
export type Alternate = { readonly provider: string; readonly modelId: string };

/** The parts of a model's schema document that the sandbox uses. */
export type ModelDocument = {
  readonly root: JsonObject;
  /** Undefined if the document marks its input as unauthored, or doesn't describe it. */
  readonly input: InputContent | undefined;
  /** A document that describes no output gets one: any object, with any media type. */
  readonly outputs: readonly [OutputContent, ...OutputContent[]];
  /** Examples of the first output, by the canonical text of the input example with the same name. */
  readonly outputByInput: ReadonlyMap<string, JsonValue>;
  readonly outputModalities: readonly string[];
  readonly alternates: readonly Alternate[];
};
export function parseModelDocument(root: JsonObject, brand: Brand, modelId?: string): ModelDocument {
  const { input, outputs = [], extension } = readModelOperation(root, modelId) ?? {};
  const readFlag = (name: string): JsonValue | undefined => extension?.(extensionKey(brand, name));
  const isAuthored = readFlag('input-schema-authored') !== false && input?.schema !== undefined;
  // Reads schemas as the generator does, so that generated validators and the sandbox report the same violations.
  const claimName = (_: unknown, pointer: string) => pointerAsName(pointer);
  const reader = createSchemaReader(root, { claimName, report: () => {} });
  const read = (content: Content | undefined): CanonicalSchema =>
    content?.schema === undefined ? {} : reader.read(content.schema, content.pointer);
  let copies = 0;
  const { inputs, definitions, ...sides } = reader.bySide(
    { inputs: [read(input)], outputs: outputs.map(read) },
    (name) => pointerAsName(`${name} ${++copies}`),
  );
  const unread = reader.unsupportedPatterns();
  const compile = (printed: JsonValue): Validator =>
    createValidator(isJsonObject(printed) ? printed : printed === true, (pattern) =>
      unread.has(pattern) ? undefined : linearPattern(pattern),
    );
  const createOutput = (schema: CanonicalSchema, mediaType: string, examples: readonly JsonValue[]): OutputContent => {
    const validator = once(() => compile(bundleJsonSchema(schema, definitions)));
    const canonical = { schema, definitions };
    return {
      mediaType,
      canonical,
      examples: [...examples, ...(flattenSchema(canonical).examples ?? [])],
      accepts: (value) => validator().accepts(value, { maxSteps }),
      sample: createSampler(canonical),
    };
  };
  const [first = createOutput({ type: ['object'] }, '*/*', []), ...others] = outputs.map(
    ({ mediaType, examples }, index) => createOutput(sides.outputs[index] ?? {}, mediaType, examples),
  );
  const canonical = { schema: inputs[0] ?? {}, definitions };
  const inputValidator = once(() => compile(printInputSchema(canonical)));
  const memberValidator = once(() => {
    const { properties = new Map() } = flattenSchema(canonical);
    return compile(bundleJsonSchema({ properties }, definitions));
  });
  const ownInput: InputContent = {
    canonical,
    check: (value) => findFailures(inputValidator(), value),
    checkMembers: (value) => findFailures(memberValidator(), value),
  };
  const pairs = [...(input?.namedExamples ?? [])].slice(0, maxExamplePairs).flatMap(([name, example]) => {
    const output = outputs[0]?.namedExamples?.get(name);
    return output === undefined ? [] : [[canonicalText(example), output] as const];
  });
  return {
    root,
    input: isAuthored ? ownInput : undefined,
    outputs: [first, ...others],
    outputByInput: new Map(pairs),
    outputModalities: asArray(readFlag('router-output-modalities')).filter((word) => typeof word === 'string'),
    alternates: asArray(readFlag('router-alt-providers')).flatMap((entry): Alternate[] => {
      const { provider, model_id: id } = asObject(entry);
      return typeof provider === 'string' && typeof id === 'string' ? [{ provider, modelId: id }] : [];
    }),
  };
}

type Content = ModelOperation['outputs'][number];
const maxExamplePairs = 1000;

function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A model that the sandbox serves. Expensive parts are created at their first use and cached. */
export type ServedModel = {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly billing: string;
  /** The schema document as sent, with the strong entity tag of those bytes (MR-SCH-08, MR-SCH-09). */
  snapshot(): { readonly bytes: Bytes; readonly entityTag: string };
  /** Undefined if the bytes are not a JSON object. */
  document(): ModelDocument | undefined;
};

// Cached by the bytes of the document, so that many sandboxes with the same catalog parse and compile it only once.
const servedModels = new WeakMap<Uint8Array, Map<string, ServedModel>>();

export function serveModel(model: CatalogModel, brand: Brand): ServedModel {
  const earlier = servedModels.get(model.bytes) ?? new Map<string, ServedModel>();
  const key = [brand, model.id, model.billing].join(' ');
  const one = earlier.get(key) ?? readModel(model, brand);
  servedModels.set(model.bytes, earlier.set(key, one));
  return one;
}

function readModel({ id, billing, bytes }: CatalogModel, brand: Brand): ServedModel {
  const slash = id.indexOf('/');
  const read = once(() => readDocument(bytes, brand));
  const document = once(() => {
    const root = read()?.root;
    return root && parseModelDocument(root, brand, id);
  });
  return {
    id,
    provider: id.slice(0, slash),
    model: id.slice(slash + 1),
    billing,
    snapshot: once(() => {
      const branded = brand === defaultBrand ? undefined : read();
      const sent = branded === undefined ? new Uint8Array(bytes) : new TextEncoder().encode(branded.text);
      return { bytes: sent, entityTag: `"${sha256(sent)}"` };
    }),
    document,
  };
}

/** Replaces the default brand in the strings of a document; numbers keep all digits. Undefined if the bytes are not a JSON object. */
function readDocument(bytes: Uint8Array, brand: Brand): { text: string; root: JsonObject } | undefined {
  if (!isJsonObject(parseJson(bytes))) return undefined;
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
      /service-/i.test(string) ? JSON.stringify(applyBrand(JSON.parse(string), brand)) : string,
    );
  const root = parseJson(text);
  return isJsonObject(root) ? { text, root } : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** An output of a model. JSON is a value, not a text, because its links are replaced before it is sent. */
export type Output = { mediaType: string; content: JsonValue | Bytes };

/** Why a model has no output: the sandbox could not generate a value that is valid for its schema. */
export type NoOutput = { reason: string };

/** Generates the output of a run. A run and a queued request with the same input get the same output (MR-COL-06). */
export function produceOutput(
  model: ServedModel,
  document: ModelDocument,
  run: { input: JsonObject; seed: number },
): Output | NoOutput {
  const content = document.outputs[0];
  const label = labelRun(model, run);
  if (returnsBytes(document)) {
    const mediaType = chooseMediaType(content.mediaType, document.outputModalities);
    return { mediaType, content: generateMedia(mediaType, createRandom(label)) };
  }
  // Prefers the example for this input, then any valid example of the document, then a generated value.
  const matchingExample = document.outputByInput.get(canonicalText(run.input));
  const value = content.sample({
    random: createRandom(label),
    prefer: 'full',
    isValid: content.accepts,
    examples: matchingExample === undefined ? content.examples : [matchingExample, ...content.examples],
  });
  if (value === undefined) {
    const reason = `${model.id}: could not generate a valid value for its output schema (${content.mediaType})`;
    return { reason: `${reason}: add an example to its document, or set a handler with sandbox.on` };
  }
  const concrete = chooseMediaType(content.mediaType, []);
  if (/^text\//i.test(content.mediaType) && typeof value === 'string') {
    return { mediaType: concrete, content: new TextEncoder().encode(value) };
  }
  return { mediaType: /json/.test(concrete) ? concrete : 'application/json', content: value };
}

/** Returns a text that is the seed of a run's output, so that runs with the same input have the same output. */
export function labelRun(model: ServedModel, run: { input: JsonObject; seed: number }): string {
  return `${run.seed} ${model.id} ${sha256(canonicalText(run.input))}`;
}

/** True if the output of a model is a file instead of JSON or text. The queue rejects such models. */
export function returnsBytes({ outputs: [{ mediaType, canonical }] }: ModelDocument): boolean {
  return listBodyKinds(mediaType, canonical)[0] === 'bytes';
}

/** A build of the catalog. Cursors of a different build are invalid (MR-CAT-09). */
export type Catalog = {
  readonly buildId: string;
  readonly models: readonly ServedModel[];
  readonly byId: ReadonlyMap<string, ServedModel>;
  /** The models from which the catalog was built. */
  readonly sources: readonly CatalogModel[];
};

/** Builds a catalog. `generation`: makes the id of a rebuilt catalog different, even if the models are the same. */
export function buildCatalog(sources: readonly CatalogModel[], brand: Brand, generation: number = 0): Catalog {
  const models = sources.map((model) => serveModel(model, brand));
  const content = [generation, ...sources.map((model) => [model.id, model.billing])];
  return {
    buildId: sha256(JSON.stringify(content)).slice(0, 16),
    models,
    byId: new Map(models.map((model) => [model.id, model])),
    sources,
  };
}
