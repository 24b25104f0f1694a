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
  type SchemaCheck,
  type SchemaWithDefinitions,
  SpecError,
  type Violation,
} from '../../../specs/src/index.ts';
import { cached } from '../contract/cache.ts';
import type { ProbeContext } from '../contract/context.ts';
import type { DiscoveredModel, ModelKind } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { decodeBody, once, type ParsedBody, parseBody } from '../contract/evidence.ts';
import { modelPath } from '../contract/requests.ts';
import { drawTexts, type Values } from '../contract/values.ts';

// Schemas compile once per object: a document that is fetched again should be the same object.
const knownDocuments = new Map<string, JsonValue>();
const charactersKept = 16 * 1024 * 1024;
let charactersHeld = 0;

/** Like `jsonOf`, but equal bytes give the same object; for schema documents, which are never modified. */
export function parseDocument(source: { readonly body: Uint8Array }): ParsedBody {
  const text = decodeBody(source);
  const earlier = knownDocuments.get(text);
  if (earlier !== undefined) return { kind: 'json', value: earlier };
  const parsed = parseBody(source);
  if (parsed.kind === 'json') {
    if (charactersHeld + text.length > charactersKept) {
      knownDocuments.clear();
      charactersHeld = 0;
    }
    knownDocuments.set(text, parsed.value);
    charactersHeld += text.length;
  }
  return parsed;
}

export type Reading =
  | { readonly kind: 'usable'; readonly model: DiscoveredModel; readonly serves: ModelKind | undefined }
  | { readonly kind: 'unusable'; readonly because: string; readonly serves?: ModelKind | undefined };

/**
 * Reads a model's schema document into what the rules may do with that model: with the input that its owner gives, or one made from
 * the document. The document is not trusted.
 */
export function readDiscoveredModel(id: string, document: JsonValue, brand: Brand, given?: JsonObject): Reading {
  if (!isJsonObject(document)) return unusable(id, 'its schema document is not an object');
  return once(readingsOf(document), `${brand} ${id} ${JSON.stringify(given)}`, () =>
    readDocument(id, document, brand, given),
  );
}

// A document that comes again as the same object is read once.
const readingsOf = cached<JsonObject, Map<string, Reading>>(() => new Map());

function readDocument(id: string, document: JsonObject, brand: Brand, given: JsonObject | undefined): Reading {
  const operation = readModelOperation(document, id);
  if (operation === undefined) return unusable(id, 'its schema document has no POST operation');
  const inputSchema = asSchema(operation.input?.schema);
  const outputs = listOutputs(document, id);
  const isAuthored = operation.extension(extensionKey(brand, 'input-schema-authored')) === true;
  const serves = classify(isAuthored, outputs, document);
  try {
    const check = compileSchema(inputSchema, { root: document, side: 'input' });
    const isValid = (value: JsonObject): boolean => check(value).length === 0;
    const canonical = readSchema(document, inputSchema, 'input');
    const [violation] = given === undefined ? [] : check(given);
    if (violation !== undefined) {
      const because = `its schema refuses the input of conform.live.models at ${violation.pointer || '/'}: ${violation.message}`;
      return unusable(id, because, serves);
    }
    const input = given ?? findValidInput(operation.input?.examples ?? [], canonical, check);
    if (input === undefined) {
      const because = 'no valid input could be made from its schema; an input in conform.live.models is used instead';
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

/** Media type → schema of the documented success of the model's operation. */
export function listOutputs(document: JsonObject, id?: string): DiscoveredModel['outputs'] {
  const outputs = readModelOperation(document, id)?.outputs ?? [];
  return Object.fromEntries(outputs.map(({ mediaType, schema }) => [mediaType, asSchema(schema)]));
}

function unusable(id: string, because: string, serves?: ModelKind): Reading {
  return { kind: 'unusable', because: `${id}: ${because}`, serves };
}

function classify(
  isAuthored: boolean,
  outputs: DiscoveredModel['outputs'],
  document: JsonObject,
): ModelKind | undefined {
  const returnsBytes = Object.entries(outputs).some(
    ([mediaType, schema]) => listBodyKinds(mediaType, readSchema(document, schema, 'output'))[0] === 'bytes',
  );
  if (returnsBytes) return 'binary';
  if (!isAuthored) return 'unauthored';
  // An open output may be anything, so no rule could check it.
  return outputs['application/json'] === undefined ? undefined : 'authored';
}

type IsValid = (value: JsonObject) => boolean;

const notAnObject: Violation = { pointer: '', keyword: 'type', message: 'must be object', params: {} };

/** The first valid one of the document's examples, a sample of the schema, or the empty object. */
function findValidInput(
  given: readonly JsonValue[],
  canonical: SchemaWithDefinitions,
  check: SchemaCheck,
): JsonObject | undefined {
  // Evenly spread numbers from 0: every check sends the same inputs.
  let index = 0;
  const sample = createSampler({ ...canonical, schema: { type: ['object'], allOf: [canonical.schema] } })({
    random: () => (index++ * 0.618034) % 1,
    prefer: 'small',
    check: (value) => (isJsonObject(value) ? check(value) : [notAnObject]),
    examples: [...given, ...(flattenSchema(canonical).examples ?? [])].filter(isJsonObject),
  });
  return isJsonObject(sample) ? sample : undefined;
}

/** A valid input, changed in one place, that the schema refuses; undefined when every change is still valid. */
function findInvalidInput(
  valid: JsonObject,
  canonical: SchemaWithDefinitions,
  isValid: IsValid,
): JsonObject | undefined {
  const { required = [], properties = new Map() } = flattenSchema(canonical);
  const names = [...properties.keys(), ...Object.keys(valid)];
  const changes = [
    ...required.map((name) => () => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name))),
    ...names.flatMap((name) => wrongValues.map((wrong) => () => ({ ...valid, [name]: wrong }))),
  ];
  for (const change of changes.slice(0, candidatesAtMost)) {
    const candidate = change();
    if (!isValid(candidate)) return candidate;
  }
  return undefined;
}

/** A document may list any number of examples and members. */
const candidatesAtMost = 200;
const wrongValues: readonly JsonValue[] = [{ unexpected: true }, -1, [[]]];

function asSchema(schema: JsonValue | undefined): Schema {
  return isJsonObject(schema) || typeof schema === 'boolean' ? schema : true;
}

/** The model with an input whose texts are drawn, as far as its schema allows. */
export function drawInput(model: DiscoveredModel, values: Values): DiscoveredModel {
  const { inputSchema, document } = model;
  const isValid = (input: JsonObject): boolean =>
    compileSchema(inputSchema, { root: document, side: 'input' })(input).length === 0;
  return { ...model, input: drawTexts(model.input, values, isValid) };
}

/** Another input that the schema accepts. Throws `NotApplicable` when no small change of the first one gives any. */
export function makeOtherInput(model: DiscoveredModel): JsonObject {
  const changed = Object.entries(model.input).flatMap(([name, value]) => {
    const other = otherScalar(value);
    return other === undefined ? [] : [{ ...model.input, [name]: other }];
  });
  const candidates = [...changed, { ...model.input, note_of_another_call: 'changed' }];
  const validate = compileSchema(model.inputSchema, { root: model.document, side: 'input' });
  const first = JSON.stringify(model.input);
  const found = candidates.find((input) => JSON.stringify(input) !== first && validate(input).length === 0);
  if (found === undefined) throw new NotApplicable(`no second input of ${model.id} could be made`);
  return found;
}

/** A second input of the authored model: that of its owner, or one that is made of the first. */
export function findOtherInput({ owned, authored }: Pick<ProbeContext, 'owned' | 'authored'>): JsonObject {
  return owned.find(({ id }) => id === authored.id)?.otherInput ?? makeOtherInput(authored);
}

function otherScalar(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') return `${value} again`;
  // Beyond 2^53 the next whole number is the same.
  if (typeof value === 'number') return value + 1 === value ? Math.trunc(value / 2) : value + 1;
  return typeof value === 'boolean' ? !value : undefined;
}
