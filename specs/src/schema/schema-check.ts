import { isSchema, type Schema } from '../documents/read-document.ts';
import { followReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { createAjv, workKeyword } from './bounded-ajv.ts';
import { anything, type CanonicalSchema, type SchemaWithDefinitions, type Side } from './canonical-schema.ts';
import { linearPattern } from './linear-pattern.ts';
import { bundleJsonSchema } from './print-json-schema.ts';
import { mapParts, schemasReached, visitParts } from './schema-parts.ts';
import { readSchema } from './schema-reader.ts';
import { OutOfWork } from './work.ts';

/** A violated keyword. `pointer` is a location in the value; `params` are details such as the limit. */
export type Violation = { pointer: string; keyword: string; message: string; params: JsonObject };
export type SchemaCheck = (value: unknown) => readonly Violation[];
export type SchemaCheckOptions = {
  /** The document that `#/…` references refer to, and whose OpenAPI version determines the dialect. Default: the schema itself. */
  root?: JsonObject;
  /** `assert` checks formats; `annotate` (default) ignores them. */
  formats?: 'assert' | 'annotate';
  /** Throws an error for an unreadable part of a schema (`reject`, default), or lets the part accept every value (`accept`). */
  unreadable?: 'reject' | 'accept';
  /** Removes `readOnly` members from inputs, or `writeOnly` members from outputs. Default: keeps all members. */
  side?: Side;
};

const compiled = new WeakMap<object, { root: JsonObject | undefined; key: string; check: SchemaCheck }[]>();
/** Maximum number of steps per check. They take less than half a second. */
const maxWork = 1_000_000;
const maxParts = 2_000; // Ten times the size of published documents. Compiling more takes seconds.
const maxPartsTogether = 10_000;
const maxViolations = 1_000;

/** Compiles a schema with ajv, once for each object and options. Throws SpecError if it can't be compiled. */
export function compileSchema(schema: Schema, options: SchemaCheckOptions = {}): SchemaCheck {
  const { root, side, formats, unreadable } = options;
  const target = resolveSoleReference(schema, root);
  if (typeof target === 'boolean') return compileUncached(target, options);
  const earlier = compiled.get(target) ?? [];
  const key = [formats, unreadable, side].join();
  const compiledBefore = earlier.find((one) => one.root === root && one.key === key);
  if (compiledBefore !== undefined) return compiledBefore.check;
  const check = compileUncached(target, options);
  compiled.set(target, [...earlier, { root, key, check }]);
  return check;
}

// Documents repeat the same `{ $ref }` in many places, so its target is compiled once.
function resolveSoleReference(schema: Schema, root: JsonObject | undefined): Schema {
  const isReference = typeof schema !== 'boolean' && Object.keys(schema).join() === '$ref';
  const target = root !== undefined && isReference ? followReference(root, schema).value : undefined;
  return isSchema(target) ? target : schema;
}

function compileUncached(schema: Schema, options: SchemaCheckOptions): SchemaCheck {
  const { root = asObject(schema), formats = 'annotate', unreadable = 'reject', side } = options;
  try {
    const source = readSchema(root, schema, side, ({ code, pointer }) => {
      if (unreadable === 'reject' && !readableProblems.has(code)) throw new SpecError(`${code} at ${pointer || '/'}`);
    });
    const reached = schemasReached([source.schema], source.definitions);
    // For each pair of names that depend on each other, ajv generates as much code as for a part.
    const dependents = [...reached].flatMap(({ dependentRequired = [] }) => [...dependentRequired]);
    const size = dependents.reduce((sum, [, names]) => sum + names.length, reached.size);
    if (size > maxParts) throw new SpecError(`it has more than ${maxParts} parts`);
    if (countPartsTogether(reached, source) > maxPartsTogether)
      throw new SpecError(`more than ${maxPartsTogether} of its parts apply to the same value`);
    const readable = [...reached].some(hasUnsupportedPattern) ? removeUnsupportedPatterns(source) : source;
    const printed = bundleJsonSchema(readable.schema, readable.definitions, { change: adaptForAjv });
    const ajvSchema = isJsonObject(printed) ? printed : printed === true;
    const work = { left: 0 };
    const compile = (allErrors: boolean) => createAjv(formats, work, allErrors).compile(ajvSchema);
    const check = (value: unknown, validate: import('ajv').ValidateFunction): readonly Violation[] => {
      work.left = maxWork;
      return listViolations(value, validate);
    };
    const validateAll = compile(true);
    let validateFirst: import('ajv').ValidateFunction | undefined;
    return (value) => {
      const violations = check(value, validateAll);
      if (violations[0] !== tooMuchWork) return violations;
      // Listing all violations may have used up the steps; finding only the first one takes fewer steps.
      validateFirst ??= compile(false);
      return check(value, validateFirst);
    };
  } catch (cause) {
    // A schema that is nested too deeply gives a RangeError here.
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new SpecError(`schema cannot be compiled: ${message}`, { cause });
  }
}

/** Codes of problems with a schema that has one meaning nevertheless. */
const readableProblems: ReadonlySet<string> = new Set([
  'pattern-unread',
  'schema-impossible',
  'nullable-ignored',
  'items-numbered',
  'items-doubled',
]);

/**
 * Counts the schema parts that ajv checks one value against: forty schemas that each include the next one twice have
 * 2^40 parts. A schema that includes itself is counted once.
 */
function countPartsTogether(reached: Iterable<CanonicalSchema>, { definitions }: SchemaWithDefinitions): number {
  const sizes = new Map<CanonicalSchema, number>();
  const count = (schema: CanonicalSchema): number => {
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    sizes.set(schema, 0);
    const target = schema.ref === undefined ? undefined : definitions.get(schema.ref);
    let size = 1 + (target === undefined ? 0 : count(target));
    const add = (part: CanonicalSchema): void => {
      size += count(part);
    };
    visitParts(schema, add, ['included', 'branch', 'tested']);
    sizes.set(schema, size);
    return size;
  };
  return Math.max(...[...reached].map(count));
}

const isUnsupported = (pattern: JsonValue | undefined): boolean =>
  typeof pattern === 'string' && linearPattern(pattern) === undefined;

function hasUnsupportedPattern({ limits, patternProperties }: CanonicalSchema): boolean {
  return isUnsupported(limits?.get('pattern')) || [...(patternProperties?.keys() ?? [])].some(isUnsupported);
}

/**
 * Removes patterns that the matcher doesn't support, so that every value that the server may accept is valid. Keywords
 * that reject a value because a part accepts it, such as `not`, are removed or weakened if that part contains such a
 * pattern.
 */
function removeUnsupportedPatterns({ schema, definitions }: SchemaWithDefinitions): SchemaWithDefinitions {
  const isOpen = (parts: readonly CanonicalSchema[]): boolean =>
    [...schemasReached(parts, definitions)].some(hasUnsupportedPattern);
  const weaken = (original: CanonicalSchema): CanonicalSchema => {
    const weakened = mapParts(original, weaken);
    const { contains, not, oneOf, if: test } = original;
    const limits = new Map(original.limits);
    if (isUnsupported(limits.get('pattern'))) limits.delete('pattern');
    if (contains !== undefined && isOpen([contains])) limits.delete('maxContains');
    weakened.limits = limits;
    const { patternProperties = new Map<string, CanonicalSchema>(), allOf = [] } = weakened;
    const supportedPatterns = [...patternProperties].filter(([pattern]) => !isUnsupported(pattern));
    // A removed pattern could match every name, so no member counts as additional.
    if (supportedPatterns.length < patternProperties.size)
      weakened.patternProperties = new Map([...supportedPatterns, ['', anything]]);
    if (not !== undefined && isOpen([not])) delete weakened.not;
    if (oneOf !== undefined && isOpen(oneOf)) {
      weakened.allOf = [...allOf, { anyOf: weakened.oneOf ?? [] }];
      delete weakened.oneOf;
    }
    if (test !== undefined && isOpen([test])) {
      const { if: condition = {}, then: yes = {}, else: no = {} } = weakened;
      weakened.allOf = [...(weakened.allOf ?? []), { anyOf: [{ allOf: [condition, yes] }, no] }];
      for (const keyword of ['if', 'then', 'else'] as const) delete weakened[keyword];
    }
    return weakened;
  };
  return { schema: weaken(schema), definitions: new Map([...definitions].map(([name, one]) => [name, weaken(one)])) };
}

/** Adds the number of steps that checking a schema takes by itself, and works around a bug in ajv. */
function adaptForAjv(schema: JsonObject): JsonObject {
  const { contains, minContains = 1, minItems = 0 } = schema;
  // A bug of ajv: an empty array passes `contains` if an earlier array in the same loop contained a match. A minimum
  // length prevents this.
  const isUnsafe = contains !== undefined && Number(minContains) > Number(minItems);
  const adapted = isUnsafe ? { ...schema, minItems: minContains } : schema;
  const sizes = Object.values(adapted).map((one) =>
    typeof one === 'object' && one !== null ? Object.keys(one).length : 1,
  );
  return { ...adapted, [workKeyword]: sizes.reduce((sum, size) => sum + size, 1) };
}

const tooDeep: Violation = { pointer: '', keyword: 'depth', message: 'is nested too deeply', params: {} };
const tooMuchWork: Violation = { pointer: '', keyword: 'work', message: 'takes too many steps to check', params: {} };

function listViolations(value: unknown, validate: import('ajv').ValidateFunction): Violation[] {
  try {
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, maxViolations).map(({ instancePath, keyword, message, params }) => ({
      pointer: instancePath,
      keyword,
      message: message ?? keyword,
      params: asObject(JSON.parse(JSON.stringify(params))),
    }));
  } catch (error) {
    // The compiled code recurses for each level of a value, and endlessly if a schema includes itself for the same value.
    if (error instanceof RangeError) return [tooDeep];
    if (error instanceof OutOfWork) return [tooMuchWork];
    throw error;
  } finally {
    validate.errors = null; // Frees the errors, because the compiled check stays in memory.
  }
}
