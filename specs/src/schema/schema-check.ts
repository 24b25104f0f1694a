import { isSchema, type Schema } from '../documents/read-document.ts';
import { followReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { asObject, type JsonObject, type JsonValue } from '../json.ts';
import { type OnUnreadable, toAjvSchema } from './ajv-schema.ts';
import { createAjv } from './bounded-ajv.ts';
import type { Side } from './canonical-schema.ts';
import { innerSchemas, keywordsOfValue, testedKeywords } from './raw-keywords.ts';
import { OutOfWork } from './work.ts';

/** A keyword that a value violates; `pointer` leads into the value, `params` are the keyword's facts. */
export type Violation = { pointer: string; keyword: string; message: string; params: JsonObject };
export type SchemaCheck = (value: unknown) => readonly Violation[];
export type SchemaCheckOptions = {
  /** The document of `#/…` references; the schema itself when absent. */
  root?: JsonObject;
  /** Checks `format`, which is an annotation by default. */
  formats?: 'assert' | 'annotate';
  /** Default: `reject`. */
  unreadable?: OnUnreadable;
  /** Without members of the other side, `readOnly` and `writeOnly` ones; by default they are annotations. */
  side?: Side;
};

const compiled = new WeakMap<object, { root: JsonObject | undefined; key: string; check: SchemaCheck }[]>();
/** Step limit of one check; takes less than half a second. */
const maxWork = 1_000_000;
const maxPartsTogether = 10_000;
const maxViolations = 1_000;

/** Compiles once per schema object and options. Throws SpecError when the schema cannot be compiled. */
export function compileSchema(schema: Schema, options: SchemaCheckOptions = {}): SchemaCheck {
  const { root, side, formats, unreadable } = options;
  const target = soleTarget(schema, options);
  if (typeof target === 'boolean') return compileAnew(target, options);
  const earlier = compiled.get(target) ?? [];
  const key = [formats, unreadable, side].join();
  const same = earlier.find((one) => one.root === root && one.key === key);
  if (same !== undefined) return same.check;
  const check = compileAnew(target, options);
  compiled.set(target, [...earlier, { root, key, check }]);
  return check;
}

// Documents repeat the same `{ $ref }` in many places; its target is compiled once.
function soleTarget(schema: Schema, { root, unreadable }: SchemaCheckOptions): Schema {
  const isReference = typeof schema !== 'boolean' && Object.keys(schema).join() === '$ref';
  if (root === undefined || unreadable === 'accept' || !isReference) return schema;
  const { value: target, problem } = followReference(root, schema);
  if (problem !== undefined) throw new SpecError(problem);
  return isSchema(target) ? target : schema;
}

function compileAnew(schema: Schema, options: SchemaCheckOptions): SchemaCheck {
  try {
    const work = { left: 0 };
    const read = readBounded(schema, options);
    const compile = (allErrors: boolean) => createAjv(options.formats ?? 'annotate', work, allErrors).compile(read);
    const check = (value: unknown, validate: import('ajv').ValidateFunction): readonly Violation[] => {
      work.left = maxWork;
      return listViolations(value, validate);
    };
    const validateAll = compile(true);
    let validateFirst: import('ajv').ValidateFunction | undefined;
    return (value) => {
      const violations = check(value, validateAll);
      if (violations[0] !== tooMuchWork) return violations;
      // The work may have gone into a long list of violations: the first one needs none.
      validateFirst ??= compile(false);
      return check(value, validateFirst);
    };
  } catch (cause) {
    // A schema nested too deep ends here as a RangeError.
    const message = cause instanceof Error ? cause.message : String(cause);
    throw cause instanceof SpecError ? cause : new SpecError(`schema cannot be compiled: ${message}`, { cause });
  }
}

/** Throws SpecError for a schema that would take too long to compile, or to check one value. */
function readBounded(schema: Schema, { root, unreadable, side }: SchemaCheckOptions): Schema {
  const read = toAjvSchema(schema, { root: root ?? asObject(schema), unreadable, side });
  if (partsTogether(read) > maxPartsTogether)
    throw new SpecError(`schema cannot be compiled: more than ${maxPartsTogether} of its parts apply to one value`);
  return read;
}

/**
 * Maximum number of schema parts that ajv checks one value against. Forty schemas that each include the next one
 * twice have 2^40 parts. A schema that includes itself counts once.
 */
function partsTogether(schema: Schema): number {
  const definitions = asObject(asObject(schema)['$defs']);
  const sizes = new Map<string, number>();
  let largest = 0;
  const countTarget = (reference: JsonValue): number => {
    const name = String(reference).slice('#/$defs/'.length);
    const known = sizes.get(name);
    if (known !== undefined) return known;
    sizes.set(name, 0);
    const size = countParts(definitions[name] ?? true);
    sizes.set(name, size);
    return size;
  };
  const countParts = (part: JsonValue): number => {
    let size = 1;
    for (const [keyword, value] of Object.entries(asObject(part))) {
      const sum = innerSchemas(keyword, value).reduce<number>((total, one) => total + countParts(one), 0);
      if (keywordsOfValue.has(keyword) || testedKeywords.has(keyword)) size += sum;
      if (keyword === '$ref') size += countTarget(value);
    }
    largest = Math.max(largest, size);
    return size;
  };
  countParts(schema);
  return largest;
}

const tooDeep: Violation = { pointer: '', keyword: 'depth', message: 'is nested too deeply', params: {} };
const tooMuchWork: Violation = { pointer: '', keyword: 'work', message: 'takes too many steps to check', params: {} };

function listViolations(value: unknown, validate: import('ajv').ValidateFunction): Violation[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []).slice(0, maxViolations).map(toViolation);
  } catch (error) {
    // The compiled code calls itself for each level of a value, and without end where a schema includes itself in place.
    if (error instanceof RangeError) return [tooDeep];
    if (error instanceof OutOfWork) return [tooMuchWork];
    throw error;
  } finally {
    validate.errors = null; // they may be many, and the check is kept
  }
}

function toViolation(error: import('ajv').ErrorObject): Violation {
  const params: unknown = JSON.parse(JSON.stringify(error.params));
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    message: error.message ?? error.keyword,
    params: asObject(params),
  };
}
