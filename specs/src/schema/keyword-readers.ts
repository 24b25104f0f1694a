import { asObject, formatPointer, isJsonObject, type JsonValue, quoteJson } from '../json.ts';
import { anything, type CanonicalSchema, type DefinitionName, type JsonTypeName } from './canonical-schema.ts';
import type { Definition, ResolveReference } from './definition-names.ts';
import type { LargeIntegers } from './large-integers.ts';
import { compilePattern, maxSteps, readExpression } from './linear-pattern.ts';
import { partKeywords } from './schema-parts.ts';

/** A part of a document that isn't a valid schema. `pointer` is its location, with long names shortened. */
type SchemaProblemCode =
  | 'enum-malformed'
  | 'items-doubled'
  | 'items-numbered'
  | 'nullable-ignored'
  | 'pattern-unread'
  | 'reference-dangling'
  | 'reference-external'
  | 'reference-malformed'
  | 'required-malformed'
  | 'schema-impossible'
  | 'schema-malformed'
  | 'schema-too-deep'
  | 'schema-too-large'
  | 'type-unknown';
export type SchemaProblem = { code: SchemaProblemCode; pointer: string; message: string };

/** The state while the schemas of one document are read. */
export type ReaderState = {
  readonly resolve: ResolveReference;
  /** Targets of all references so far. */
  readonly referenced: Set<Definition>;
  readonly report: (problem: SchemaProblem) => void;
  readonly canonicalise: (raw: JsonValue, at: SchemaLocation) => CanonicalSchema;
  /** True for OpenAPI 3.0, the only version with `nullable`. */
  readonly isOldDialect: boolean;
  /** Patterns that the matcher doesn't support. */
  readonly unsupportedPatterns: Set<string>;
  /** All patterns so far, and the total number of steps of the supported ones. */
  readonly patterns: Set<string>;
  patternSteps: number;
  /** True if a schema read so far is `readOnly` or `writeOnly`. */
  hasReadOrWriteOnly: boolean;
  /** Integers beyond 2^53 in the document. */
  readonly integers: LargeIntegers;
  /** Number of schemas that can still be read before the document is too large. */
  budget: number;
};

/** The location of a schema in its document; only formatted as a pointer if a problem is reported. */
export type SchemaLocation = {
  /** The complete pointer of the outermost schema; a single step for a schema inside it. */
  readonly step: string | number;
  readonly parent: SchemaLocation | undefined;
  readonly depth: number;
  readonly state: ReaderState;
};

export function childAt(at: SchemaLocation, step: string | number): SchemaLocation {
  return { step, parent: at, depth: at.depth + 1, state: at.state };
}

const maxStepLength = 200;

/** Returns the pointer of a location, with long names shortened. */
function pointerTo(at: SchemaLocation): string {
  const steps: string[] = [];
  let start = at;
  for (; start.parent !== undefined; start = start.parent) steps.push(String(start.step).slice(0, maxStepLength));
  return `${start.step}${formatPointer(steps.reverse())}`;
}

export function reportAt(at: SchemaLocation, code: SchemaProblem['code'], message: string): void {
  at.state.report({ code, pointer: pointerTo(at), message });
}

/** Reads a keyword into a part of the canonical schema. Reports a problem and returns undefined if its value is invalid. */
type KeywordReader = (value: JsonValue, at: SchemaLocation) => CanonicalSchema | undefined;

const typeNames: readonly JsonTypeName[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const partReaders = { one: readAt, list: readSchemaList, 'by-name': readSchemasByName };

/**
 * Readers of all supported keywords. Other keywords are ignored, because documents have many of their own (`step`, …).
 */
export const readers: ReadonlyMap<string, KeywordReader> = new Map<string, KeywordReader>([
  ['$ref', readReference],
  // Documents don't refer to each other, so a dynamic reference has only one possible target.
  ['$dynamicRef', readReference],
  ['type', readType],
  ['enum', readEnum],
  ['const', (value) => ({ enum: [value] })],
  ...partKeywords.map(([keyword, shape]): [string, KeywordReader] => [
    keyword,
    (value, at) => {
      const part = partReaders[shape](value, at);
      return part === undefined ? undefined : { [keyword]: part };
    },
  ]),
  ['dependentRequired', readDependentRequired],
  // Before draft 2019-09, one keyword had the meaning of `dependentRequired` and `dependentSchemas`.
  ['dependencies', readDependencies],
  ['patternProperties', readPatternProperties],
  ['required', readRequired],
  ['items', (value, at) => (Array.isArray(value) ? undefined : { items: readItems(value, at) })],
  ['minItems', (value) => (isCount(value) ? { minItems: value } : undefined)],
  ['maxItems', (value) => (isCount(value) ? { maxItems: value } : undefined)],
  ['discriminator', readDiscriminator],
  ['title', (value) => (typeof value === 'string' && value.trim() !== '' ? { title: value.trim() } : undefined)],
  ['description', (value) => (typeof value === 'string' && value.trim() !== '' ? { description: value } : undefined)],
  ['default', (value) => ({ default: value })],
  ['example', (value) => ({ examples: [value] })],
  ['examples', (value) => (Array.isArray(value) && value.length > 0 ? { examples: value } : undefined)],
  ['deprecated', (value) => (value === true ? { deprecated: true } : undefined)],
  ['readOnly', (value, at) => readMark('readOnly', value, at)],
  ['writeOnly', (value, at) => readMark('writeOnly', value, at)],
]);

function readMark(mark: 'readOnly' | 'writeOnly', value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (value !== true) return undefined;
  at.state.hasReadOrWriteOnly = true;
  return { [mark]: true };
}

function readAt(value: JsonValue, at: SchemaLocation): CanonicalSchema {
  return at.state.canonicalise(value, at);
}

function readReference(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (typeof value !== 'string') {
    reportAt(at, 'reference-malformed', 'this reference is not a string; the part accepts any value');
    return undefined;
  }
  const resolved = at.state.resolve(value);
  const target = resolved === 'reference-dangling' ? at.state.resolve(value, pointerTo(at)) : resolved;
  if (typeof target === 'object') {
    at.state.referenced.add(target);
    return { ref: target.name };
  }
  // A document must not make the reader open files or hosts.
  const why = target === 'reference-external' ? 'refers to another document and is not followed' : 'does not exist';
  reportAt(at, target, `${quoteJson(value)} ${why}; the part accepts any value`);
  return undefined;
}

function readType(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  const words = Array.isArray(value) ? value : [value];
  const type = words.flatMap((word) => typeNames.find((name) => name === word) ?? []);
  if (type.length < words.length)
    reportAt(at, 'type-unknown', `${quoteJson(value)} is not a JSON Schema type and is ignored`);
  return type.length < words.length || type.length === 0 ? undefined : { type };
}

function readEnum(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (Array.isArray(value) && value.length > 0) return { enum: value };
  reportAt(at, 'enum-malformed', 'an enum without values is ignored');
  return undefined;
}

function readPatternProperties(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (isJsonObject(value)) for (const pattern of Object.keys(value)) checkPattern(pattern, childAt(at, pattern));
  const patternProperties = readSchemasByName(value, at);
  return patternProperties === undefined ? undefined : { patternProperties };
}

// Every distinct pattern is compiled, so their number is limited. The total number of steps limits the cost per
// character.
const maxPatterns = 1_000;
const maxPatternSteps = 5_000;

/** Reports a pattern that the matcher doesn't support. */
export function checkPattern(pattern: JsonValue, at: SchemaLocation): void {
  if (typeof pattern !== 'string' || at.state.patterns.has(pattern)) return;
  if (at.state.patterns.size === maxPatterns)
    reportAt(at, 'schema-too-large', `the document has more than ${maxPatterns} patterns`);
  at.state.patterns.add(pattern);
  const stepsLeft = at.state.patterns.size > maxPatterns ? 0 : maxPatternSteps - at.state.patternSteps;
  const compiled = compilePattern(pattern, Math.min(maxSteps, stepsLeft));
  if (compiled !== undefined) {
    at.state.patternSteps += compiled.size;
    return;
  }
  at.state.unsupportedPatterns.add(pattern);
  const because =
    readExpression(pattern) === undefined
      ? 'its syntax is not valid in ECMAScript with the Unicode flag'
      : 'it uses backreferences, or the patterns of the document are too large';
  reportAt(at, 'pattern-unread', `the pattern ${quoteJson(pattern)} is only checked by the server: ${because}`);
}

function readRequired(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (Array.isArray(value)) return { required: [...new Set(value.filter((name) => typeof name === 'string'))] };
  reportAt(at, 'required-malformed', 'required is not a list of names and is ignored');
  return undefined;
}

function readDependentRequired(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (isJsonObject(value) && Object.values(value).every((names) => Array.isArray(names))) {
    const lists = Object.entries(value).map(([name, names]) => {
      return [name, Array.isArray(names) ? names.filter((one) => typeof one === 'string') : []] as const;
    });
    return { dependentRequired: new Map(lists) };
  }
  reportAt(
    at,
    'required-malformed',
    'dependentRequired must be an object that maps names to lists of names; it is ignored',
  );
  return undefined;
}

function readDependencies(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (!isJsonObject(value)) return readDependentRequired(value, at);
  const lists = Object.entries(value).filter(([, part]) => Array.isArray(part));
  const schemas = Object.entries(value).filter(([, part]) => !Array.isArray(part));
  const dependentSchemas = readSchemasByName(Object.fromEntries(schemas), at);
  return {
    ...(lists.length === 0 ? {} : readDependentRequired(Object.fromEntries(lists), at)),
    ...(schemas.length === 0 || dependentSchemas === undefined ? {} : { dependentSchemas }),
  };
}

function readItems(value: JsonValue, at: SchemaLocation): CanonicalSchema {
  if (isJsonObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key))) {
    reportAt(at, 'items-numbered', 'items has numbered members instead of a schema; they are ignored');
    return anything;
  }
  return readAt(value, at);
}

function readDiscriminator(value: JsonValue, at: SchemaLocation): CanonicalSchema | undefined {
  if (!isJsonObject(value) || typeof value['propertyName'] !== 'string') return undefined;
  const values = new Map<DefinitionName, string[]>();
  for (const [wire, word] of Object.entries(asObject(value['mapping']))) {
    if (typeof word !== 'string') continue;
    const target = at.state.resolve(word.startsWith('#') ? word : `#/components/schemas/${word}`);
    if (typeof target === 'object') values.set(target.name, [...(values.get(target.name) ?? []), wire]);
  }
  return { discriminator: { propertyName: value['propertyName'], values } };
}

function readSchemaList(value: JsonValue, at: SchemaLocation): CanonicalSchema[] | undefined {
  if (Array.isArray(value) && value.length > 0) return value.map((schema, index) => readAt(schema, childAt(at, index)));
  reportAt(at, 'schema-malformed', 'this keyword must be a list of schemas; it is ignored');
  return undefined;
}

function readSchemasByName(value: JsonValue, at: SchemaLocation): Map<string, CanonicalSchema> | undefined {
  if (isJsonObject(value))
    return new Map(Object.entries(value).map(([name, schema]) => [name, readAt(schema, childAt(at, name))]));
  reportAt(at, 'schema-malformed', 'this keyword must be an object that maps property names to schemas; it is ignored');
  return undefined;
}

function isCount(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
