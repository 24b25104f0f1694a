import { isSchema, type Schema } from '../documents/read-document.ts';
import { followReference } from '../documents/references.ts';
import { SpecError } from '../errors.ts';
import { asObject, type JsonObject, type JsonValue } from '../json.ts';
import { type OnUnreadable, toAjvSchema } from './ajv-schema.ts';
import { createAjv } from './bounded-ajv.ts';
import type { Side } from './canonical-schema.ts';
import { innerSchemas, keywordsOfValue, testedKeywords } from './raw-keywords.ts';
import { OutOfWork } from './work.ts';

/** A violated keyword. `pointer` is a location in the value; `params` are details such as the limit. */
export type Violation = { pointer: string; keyword: string; message: string; params: JsonObject };
export type SchemaCheck = (value: unknown) => readonly Violation[];
export type SchemaCheckOptions = {
  /** The document that `#/…` references refer to. Default: the schema itself. */
  root?: JsonObject;
  /** `assert` checks formats; `annotate` (default) ignores them. */
  formats?: 'assert' | 'annotate';
  /** Default: `reject`. */
  unreadable?: OnUnreadable;
  /** Removes `readOnly` members from inputs, or `writeOnly` members from outputs. Default: keeps all members. */
  side?: Side;
};

const compiled = new WeakMap<object, { root: JsonObject | undefined; key: string; check: SchemaCheck }[]>();
/** Maximum number of steps per check. They take less than half a second. */
const maxWork = 1_000_000;
const maxPartsTogether = 10_000;
const maxViolations = 1_000;

/** Compiles a schema, once for each object and options. Throws SpecError if it can't be compiled. */
export function compileSchema(schema: Schema, options: SchemaCheckOptions = {}): SchemaCheck {
  const { root, side, formats, unreadable } = options;
  const target = soleTarget(schema, options);
  if (typeof target === 'boolean') return compileAnew(target, options);
  const earlier = compiled.get(target) ?? [];
  const key = [formats, unreadable, side].join();
  const compiledBefore = earlier.find((one) => one.root === root && one.key === key);
  if (compiledBefore !== undefined) return compiledBefore.check;
  const check = compileAnew(target, options);
  compiled.set(target, [...earlier, { root, key, check }]);
  return check;
}

// Documents repeat the same `{ $ref }` in many places, so its target is compiled once.
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
    const { root = asObject(schema), unreadable, side } = options;
    const ajvSchema = toAjvSchema(schema, { root, unreadable, side });
    if (partsTogether(ajvSchema) > maxPartsTogether)
      throw new SpecError(
        `schema cannot be compiled: more than ${maxPartsTogether} of its parts apply to the same value`,
      );
    const compile = (allErrors: boolean) =>
      createAjv(options.formats ?? 'annotate', work, allErrors).compile(ajvSchema);
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
    throw cause instanceof SpecError ? cause : new SpecError(`schema cannot be compiled: ${message}`, { cause });
  }
}

/**
 * Counts the schema parts that ajv checks one value against: forty schemas that each include the next one twice have
 * 2^40 parts. A schema that includes itself is counted once.
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
