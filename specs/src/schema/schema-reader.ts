import { isJsonObject, type JsonObject, type JsonValue, parsePointer } from '../json.ts';
import {
  annotationKeywords,
  anything,
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  hasImpossibleEnum,
  isLimit,
  isNothing,
  limitKeywords,
  nothing,
  type SchemaWithDefinitions,
  type Side,
} from './canonical-schema.ts';
import { type ClaimName, createResolver, type Definition } from './definition-names.ts';
import {
  checkPattern,
  childAt,
  type ReaderState,
  readers,
  reportAt,
  type SchemaLocation,
  type SchemaProblem,
} from './keyword-readers.ts';
import { type LargeIntegers, readExactTexts } from './large-integers.ts';
import { type NameCopy, type SchemasOfSides, splitBySide } from './split-by-side.ts';

export type SchemaReader = {
  /** Reads a schema of the document into canonical form. */
  read(raw: JsonValue, pointer: string): CanonicalSchema;
  /** Returns all definitions that the schemas read so far refer to, directly or indirectly. */
  definitions(): Definitions;
  /** Splits schemas and definitions into inputs without `readOnly` members and outputs without `writeOnly` members. */
  bySide(of: Pick<SchemasOfSides, 'inputs' | 'outputs'>, nameCopy: NameCopy): SchemasOfSides;
  /** Returns the patterns that only the server can check, because the matcher doesn't support them. */
  unsupportedPatterns(): ReadonlySet<string>;
};
export type SchemaReaderOptions = {
  readonly claimName: ClaimName;
  /** Integers beyond 2^53 in the document. Default: none. */
  readonly integers?: LargeIntegers;
  readonly report: (problem: SchemaProblem) => void;
};

const maxSchemas = 50_000;
const maxDepth = 256;

/**
 * Creates a reader for schemas of any OpenAPI 3 dialect. Unreadable parts accept every value and are reported. A document beyond the
 * limits is reported once as schema-too-large. Other problem codes: schema-malformed, schema-too-deep, reference-malformed,
 * reference-external, reference-dangling, type-unknown, enum-malformed, schema-impossible, required-malformed, pattern-unread,
 * items-numbered, items-doubled, nullable-ignored.
 */
export function createSchemaReader(
  document: JsonObject,
  { claimName, report, integers = new Map() }: SchemaReaderOptions,
): SchemaReader {
  const referenced = new Set<Definition>();
  const definitions = new Map<DefinitionName, CanonicalSchema>();
  const state: ReaderState = {
    resolve: createResolver(document, claimName),
    referenced,
    report,
    canonicalise,
    integers,
    isOldDialect: String(document['openapi']).startsWith('3.0'),
    unsupportedPatterns: new Set(),
    patterns: new Set(),
    patternSteps: 0,
    hasReadOrWriteOnly: false,
    budget: maxSchemas,
  };
  const read = (raw: JsonValue, pointer: string): CanonicalSchema =>
    canonicalise(raw, { step: pointer, parent: undefined, depth: 0, state });
  const readDefinitions = (): Definitions => {
    // The loop also visits targets that are added while it runs.
    for (const { name, value, pointer } of referenced) {
      if (definitions.has(name)) continue;
      const schema = read(value, pointer);
      const isConstant = Object.keys(schema).length === 0 || isNothing(schema);
      definitions.set(name, isConstant ? schema : { title: parsePointer(pointer).at(-1) ?? '', ...schema });
    }
    return definitions;
  };
  return {
    read,
    definitions: readDefinitions,
    bySide(of, nameCopy) {
      const schemas = { ...of, definitions: readDefinitions() };
      return state.hasReadOrWriteOnly ? splitBySide(schemas, nameCopy) : schemas;
    },
    unsupportedPatterns: () => state.unsupportedPatterns,
  };
}

/**
 * Reads one schema of a document, for inputs or outputs, or with the members of both if `side` is undefined. Definitions are
 * named by their pointers. Unreadable parts accept every value.
 */
export function readSchema(
  document: JsonObject,
  raw: JsonValue,
  side: Side | undefined,
  report: (problem: SchemaProblem) => void = () => {},
): SchemaWithDefinitions {
  const reader = createSchemaReader(document, { claimName: (_, pointer) => pointerAsName(pointer), report });
  const schema = reader.read(raw, '');
  if (side === undefined) return { schema, definitions: reader.definitions() };
  const of = { input: { inputs: [schema], outputs: [] }, output: { inputs: [], outputs: [schema] } }[side];
  let copies = 0;
  const sides = reader.bySide(of, (name) => pointerAsName(`${name} ${++copies}`));
  return { schema: sides[`${side}s`][0] ?? anything, definitions: sides.definitions };
}

/** Names a definition by its pointer, for schemas that aren't printed. */
export function pointerAsName(pointer: string): DefinitionName {
  return pointer as DefinitionName; // unique within the document
}

function canonicalise(raw: JsonValue, at: SchemaLocation): CanonicalSchema {
  if (raw === true) return anything;
  if (raw === false) return nothing;
  if (!isJsonObject(raw)) return unreadable(at, 'schema-malformed', 'is not a schema');
  if (at.depth > maxDepth) return unreadable(at, 'schema-too-deep', `is nested more than ${maxDepth} levels deep`);
  if (at.state.budget-- <= 0) {
    if (at.state.budget === -1) reportAt(at, 'schema-too-large', `the document has more than ${maxSchemas} schemas`);
    return anything;
  }
  let schema = readKeywords(raw, at);
  // `const` and `enum` both end up in `schema.enum`, so a schema that has both needs an `allOf`. `nullable` is applied last,
  // because it adds null to the result of all other keywords.
  if (Array.isArray(raw['items'])) schema = readOldTuple(schema, raw['items'], raw, at);
  if (raw['const'] !== undefined && Array.isArray(raw['enum']) && schema.enum !== undefined)
    schema = { ...schema, enum: [raw['const']], allOf: [...(schema.allOf ?? []), { enum: raw['enum'] }] };
  if (schema.oneOf !== undefined && schema.anyOf === undefined && isInclusive(schema)) {
    const { oneOf, ...others } = schema;
    schema = { ...others, anyOf: oneOf };
  }
  if (hasImpossibleEnum(schema)) {
    at.state.hasReadOrWriteOnly = true;
    const types = schema.type?.join(' or ');
    const message = `no value of this enum has the type ${types}: inputs accept no value here, and outputs accept the values of the enum`;
    reportAt(at, 'schema-impossible', message);
  }
  if (raw['nullable'] !== true) return schema;
  if (at.state.isOldDialect) {
    const isListed = schema.enum === undefined || schema.enum.includes(null);
    if (!isListed) at.state.hasReadOrWriteOnly = true;
    return withNull(schema, isListed ? { type: ['null'] } : { type: ['null'], outputOnly: true });
  }
  reportAt(at, 'nullable-ignored', "nullable has no effect in OpenAPI 3.1: add 'null' to the types instead");
  return schema;
}

/**
 * True if a `oneOf` is meant as `anyOf`. A discriminator selects the branch, so branches may accept each other's values
 * if their tag is any text. If one branch accepts every text, no text of the other branches (a URL or an enum value)
 * would be valid.
 */
function isInclusive({ oneOf = [], discriminator }: CanonicalSchema): boolean {
  const texts = oneOf.filter(({ type, enum: values }) =>
    values === undefined ? type?.join() === 'string' : values.some((value) => typeof value === 'string'),
  );
  return discriminator !== undefined || (texts.length > 1 && texts.some(acceptsEveryText));
}

/** True if a schema for texts has only annotations. A format is an annotation too. */
function acceptsEveryText({ type: _, limits, ...others }: CanonicalSchema): boolean {
  const isAnnotation = (word: string): boolean => annotationKeywords.some((one) => one === word);
  const isLimiting = (word: string): boolean => word !== 'format' && limitKeywords.get(word)?.informs !== true;
  return Object.keys(others).every(isAnnotation) && ![...(limits?.keys() ?? [])].some(isLimiting);
}

const conditionKeywords = ['if', 'then', 'else'];

function readKeywords(raw: JsonObject, at: SchemaLocation): CanonicalSchema {
  const schema: CanonicalSchema = {};
  let limits: Map<string, JsonValue> | undefined;
  const others = Object.keys(raw).filter((keyword) => !conditionKeywords.includes(keyword));
  // Without `if`, `then` and `else` have no effect.
  const condition = raw['if'] === undefined ? [] : conditionKeywords.filter((keyword) => raw[keyword] !== undefined);
  for (const keyword of [...others, ...condition]) {
    const value = raw[keyword] ?? null;
    const read = readers.get(keyword);
    if (read !== undefined) Object.assign(schema, read(value, childAt(at, keyword)));
    if (isLimit(keyword, value)) {
      limits ??= new Map();
      limits.set(keyword, value);
      if (keyword === 'pattern') checkPattern(value, childAt(at, keyword));
    }
  }
  const exactTexts = readExactTexts(raw, at.state.integers);
  if (exactTexts.size > 0) schema.exactTexts = exactTexts;
  if (limits === undefined) return schema;
  readOldBounds(limits, exactTexts, raw);
  return { ...schema, limits };
}

function unreadable(at: SchemaLocation, code: SchemaProblem['code'], problem: string): CanonicalSchema {
  reportAt(at, code, `this part ${problem}; it accepts any value in the generated types`);
  return anything;
}

function readOldTuple(
  schema: CanonicalSchema,
  listed: readonly JsonValue[],
  raw: JsonObject,
  at: SchemaLocation,
): CanonicalSchema {
  const isDoubled = schema.prefixItems !== undefined;
  if (isDoubled && listed.length > 0)
    reportAt(at, 'items-doubled', 'items and prefixItems both list the first items; prefixItems is used');
  const itemsAt = childAt(at, 'items');
  const prefixItems = isDoubled ? [] : listed.map((item, index) => canonicalise(item, childAt(itemsAt, index)));
  const rest = raw['additionalItems'];
  return {
    ...schema,
    ...(prefixItems.length === 0 ? {} : { prefixItems }),
    ...(rest === undefined ? {} : { items: canonicalise(rest, childAt(at, 'additionalItems')) }),
  };
}

/** Reads boolean bounds: in OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive. */
function readOldBounds(limits: Map<string, JsonValue>, exactTexts: Map<string, string>, raw: JsonObject): void {
  for (const inclusive of ['minimum', 'maximum']) {
    const bound = limits.get(inclusive);
    const exclusive = inclusive.replace('m', 'exclusiveM');
    if (raw[exclusive] !== true || bound === undefined) continue;
    limits.delete(inclusive);
    limits.set(exclusive, bound);
    const text = exactTexts.get(inclusive);
    if (text !== undefined) exactTexts.set(exclusive, text);
  }
}

// In OpenAPI 3.0, `nullable` allows null, with or without `type`. If an enum doesn't list null, the specification forbids null,
// but many servers return it: inputs may not be null then, outputs may.
function withNull(schema: CanonicalSchema, none: CanonicalSchema): CanonicalSchema {
  const isAnnotation = ([keyword]: [string, unknown]): boolean => annotationKeywords.some((word) => word === keyword);
  const assertions = Object.entries(schema).filter((entry) => !isAnnotation(entry));
  if (assertions.length === 0) return schema;
  const annotations = Object.entries(schema).filter(isAnnotation);
  const { exactTexts } = schema; // Applies to both branches.
  return {
    ...Object.fromEntries(annotations),
    ...(exactTexts && { exactTexts }),
    anyOf: [Object.fromEntries(assertions), none],
  };
}
