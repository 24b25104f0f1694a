import {
  type Brand,
  compileSchema,
  createSampler,
  extensionKey,
  flattenSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listBodyKinds,
  readModelOperation,
  readSchema,
  type Schema,
  type SchemaWithDefinitions,
  SpecError,
} from '../../../specs/src/index.ts';
import { createTextMap, memoize } from '../contract/cache.ts';
import type { TargetContext } from '../contract/context.ts';
import type { DiscoveredModel, ModelKind } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { decodeBody, once, type ParsedBody, parseBody } from '../contract/evidence.ts';
import { modelPath } from '../contract/requests.ts';
import { drawTexts, type Values } from '../contract/values.ts';

// Keeps documents, because schemas are compiled once per object, and a document may be fetched several times.
const knownDocuments = createTextMap<ParsedBody>(16 * 1024 * 1024);

/** Parses a schema document. Returns the same object for equal bytes, so callers must not modify the object. */
export function parseDocument(source: { readonly body: Uint8Array }): ParsedBody {
  return once(knownDocuments, decodeBody(source), () => parseBody(source));
}

export type DiscoveredModelResult =
  | { readonly kind: 'usable'; readonly model: DiscoveredModel; readonly serves: ModelKind | undefined }
  | { readonly kind: 'unusable'; readonly because: string; readonly serves?: ModelKind | undefined };

// Cached, because a document may be fetched again.
const resultsByDocument = memoize<JsonObject, Map<string, DiscoveredModelResult>>(() => new Map());

/** Reads a model's untrusted schema document. Uses the configured input, or generates one from the document. */
export function readDiscoveredModel(
  id: string,
  document: JsonValue,
  brand: Brand,
  configuredInput?: JsonObject,
): DiscoveredModelResult {
  if (!isJsonObject(document)) return unusable(id, 'its schema document is not an object');
  const key = `${brand} ${id} ${JSON.stringify(configuredInput)}`;
  return once(resultsByDocument(document), key, () => readDocument(id, document, brand, configuredInput));
}

function readDocument(
  id: string,
  document: JsonObject,
  brand: Brand,
  configuredInput: JsonObject | undefined,
): DiscoveredModelResult {
  const operation = readModelOperation(document, id);
  if (operation === undefined) return unusable(id, 'its schema document has no POST operation');
  const inputSchema = asSchema(operation.input?.schema);
  const outputs = listOutputs(document, id);
  const isAuthored = operation.extension(extensionKey(brand, 'input-schema-authored')) === true;
  const returnsBytes = Object.entries(outputs).some(
    ([mediaType, schema]) => listBodyKinds(mediaType, readSchema(document, schema, 'output'))[0] === 'bytes',
  );
  // Without a schema for its JSON output, results cannot be checked.
  const authoredKind = outputs['application/json'] === undefined ? undefined : 'authored';
  const serves: ModelKind | undefined = returnsBytes ? 'binary' : isAuthored ? authoredKind : 'unauthored';
  try {
    const check = compileSchema(inputSchema, { root: document, side: 'input' });
    const isValid = (value: JsonObject): boolean => check(value).length === 0;
    const canonical = readSchema(document, inputSchema, 'input');
    const [violation] = configuredInput === undefined ? [] : check(configuredInput);
    if (violation !== undefined) {
      const because = `its schema rejects the input in conform.live.models at ${violation.pointer || '/'}: ${violation.message}`;
      return unusable(id, because, serves);
    }
    const input = configuredInput ?? findValidInput(operation.input?.examples ?? [], canonical, isValid);
    if (input === undefined) {
      const because = 'no valid input could be generated from its schema: set an input in conform.live.models';
      return unusable(id, because, serves);
    }
    const invalidInput = isAuthored ? findInvalidInput(input, canonical, isValid) : undefined;
    const [provider = '', model = ''] = id.split('/');
    const identity = { id, provider, model, path: modelPath(id) };
    return { kind: 'usable', model: { ...identity, input, invalidInput, inputSchema, outputs, document }, serves };
  } catch (error) {
    if (error instanceof SpecError) return unusable(id, error.message, serves);
    throw error;
  }
}

export function listOutputs(document: JsonObject, id?: string): DiscoveredModel['outputs'] {
  const outputs = readModelOperation(document, id)?.outputs ?? [];
  return Object.fromEntries(outputs.map(({ mediaType, schema }) => [mediaType, asSchema(schema)]));
}

function unusable(id: string, because: string, serves?: ModelKind): DiscoveredModelResult {
  return { kind: 'unusable', because: `${id}: ${because}`, serves };
}

/** Returns the first valid input among the document's examples, a sample of the schema, and the empty object. */
function findValidInput(
  examples: readonly JsonValue[],
  canonical: SchemaWithDefinitions,
  isValid: (value: JsonObject) => boolean,
): JsonObject | undefined {
  // Evenly spread numbers instead of random ones, so that every check sends the same inputs.
  let index = 0;
  const sample = createSampler({ ...canonical, schema: { type: ['object'], allOf: [canonical.schema] } })({
    random: () => (index++ * 0.618034) % 1,
    prefer: 'small',
    isValid: (value) => isJsonObject(value) && isValid(value),
    examples: [...examples, ...(flattenSchema(canonical).examples ?? [])].filter(isJsonObject),
  });
  return isJsonObject(sample) ? sample : undefined;
}

function findInvalidInput(
  valid: JsonObject,
  canonical: SchemaWithDefinitions,
  isValid: (value: JsonObject) => boolean,
): JsonObject | undefined {
  const { required = [], properties = new Map() } = flattenSchema(canonical);
  const names = [...properties.keys(), ...Object.keys(valid)];
  const changes = [
    ...required.map((name) => () => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name))),
    ...names.flatMap((name) => wrongValues.map((wrong) => () => ({ ...valid, [name]: wrong }))),
  ];
  for (const change of changes.slice(0, maxCandidates)) {
    const candidate = change();
    if (!isValid(candidate)) return candidate;
  }
  return undefined;
}

/** Limit, because a document may list any number of examples and members. */
const maxCandidates = 200;
/** Values of different types, at least one of which most schemas reject. */
const wrongValues: readonly JsonValue[] = [{ unexpected: true }, -1, [[]]];

function asSchema(schema: JsonValue | undefined): Schema {
  return isJsonObject(schema) || typeof schema === 'boolean' ? schema : true;
}

/** Replaces texts in a generated input by values that are derived from the seed of the check. */
export function drawInput(model: DiscoveredModel, values: Values): DiscoveredModel {
  const { inputSchema, document } = model;
  const isValid = (input: JsonObject): boolean =>
    compileSchema(inputSchema, { root: document, side: 'input' })(input).length === 0;
  return { ...model, input: drawTexts(model.input, values, isValid) };
}

/** Returns a different valid input. Throws `NotApplicable` if no small change of the first input is valid. */
export function makeOtherInput(model: DiscoveredModel): JsonObject {
  const changed = Object.entries(model.input).flatMap(([name, value]): readonly JsonObject[] => {
    if (typeof value === 'string') return [{ ...model.input, [name]: `${value} again` }];
    // Beyond 2^53, adding 1 doesn't change a number.
    if (typeof value === 'number')
      return [{ ...model.input, [name]: value + 1 === value ? Math.trunc(value / 2) : value + 1 }];
    return typeof value === 'boolean' ? [{ ...model.input, [name]: !value }] : [];
  });
  const candidates = [...changed, { ...model.input, note_of_another_call: 'changed' }];
  const validate = compileSchema(model.inputSchema, { root: model.document, side: 'input' });
  const first = JSON.stringify(model.input);
  const found = candidates.find((input) => JSON.stringify(input) !== first && validate(input).length === 0);
  if (found === undefined) throw new NotApplicable(`could not generate a second input for ${model.id}`);
  return found;
}

/** Returns a second input of the authored model: the configured one, or one derived from the first. */
export function findOtherInput({ owned, authored }: TargetContext): JsonObject {
  return owned.find(({ id }) => id === authored.id)?.otherInput ?? makeOtherInput(authored);
}
