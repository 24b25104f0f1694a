import { createRequire } from 'node:module';
import type { OpenApiDocument, Schema } from './document.ts';
import { documentAsJson } from './documents/read-document.ts';
import { SpecError } from './errors.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { readPattern } from './keyword-value.ts';
import { dereference } from './references.ts';
import { type OnUnreadable, type OpenApiVersion, standaloneSchema } from './standalone-schema.ts';

/** One complaint about a value: where in the value (JSON pointer), which keyword, and the keyword's facts. */
export type Violation = { pointer: string; keyword: string; message: string; params: JsonObject };
export type SchemaCheck = (value: unknown) => readonly Violation[];
export type SchemaCheckOptions = {
  /** Where `#/…` references resolve; the schema itself when absent. */
  root?: OpenApiDocument | JsonObject;
  /** Default: what `root` says of itself, else 3.1. */
  openapi?: OpenApiVersion;
  /** Whether `format` refuses or only informs (the default). */
  formats?: 'assert' | 'annotate';
  /** What comes of references that lead nowhere, unknown types and the like; the schema is refused unless told to let them pass. */
  unreadable?: OnUnreadable;
};

type Key = {
  root: SchemaCheckOptions['root'];
  openapi: OpenApiVersion;
  formats: 'assert' | 'annotate';
  unreadable: OnUnreadable;
};
type Compiled = Key & { check: SchemaCheck };
const compiled = new WeakMap<object, Compiled[]>();
const load = createRequire(import.meta.url); // the library is loaded when the first schema is compiled

/** Compiles once per schema object; throws SpecError when the schema cannot be compiled. */
export function compileSchema(schema: Schema, options: SchemaCheckOptions = {}): SchemaCheck {
  const { root, formats = 'annotate', unreadable = 'refuse' } = options;
  const key: Key = { root, openapi: versionOf(options), formats, unreadable };
  const subject = soleTarget(schema, key);
  if (typeof subject === 'boolean') return compileAfresh(subject, key);
  const earlier = compiled.get(subject) ?? [];
  const same = earlier.find(
    (one) =>
      one.root === root && one.openapi === key.openapi && one.formats === formats && one.unreadable === unreadable,
  );
  if (same !== undefined) return same.check;
  const check = compileAfresh(subject, key);
  compiled.set(subject, [...earlier, { ...key, check }]);
  return check;
}

// Documents say `{ $ref }` in a hundred places for a dozen schemas; each is compiled once.
function soleTarget(schema: Schema, { root, unreadable }: Key): Schema {
  if (
    root === undefined ||
    unreadable === 'pass' ||
    typeof schema === 'boolean' ||
    Object.keys(schema).join() !== '$ref'
  )
    return schema;
  const target = dereference(documentAsJson(root), schema);
  return isJsonObject(target) || typeof target === 'boolean' ? target : schema;
}

function compileAfresh(schema: Schema, key: Key): SchemaCheck {
  const root = key.root === undefined ? (isJsonObject(schema) ? schema : {}) : documentAsJson(key.root);
  try {
    const { openapi, unreadable } = key;
    const validate = createChecker(key.formats).compile(standaloneSchema(schema, { root, openapi, unreadable }));
    return (value) => (validate(value) ? [] : (validate.errors ?? []).map(toViolation));
  } catch (cause) {
    // Besides the library's own complaints, a schema nested too deep ends here as a RangeError.
    const message = cause instanceof Error ? cause.message : String(cause);
    throw cause instanceof SpecError ? cause : new SpecError(`schema cannot be compiled: ${message}`, { cause });
  }
}

// `require` has no types, hence the two `as`.
function createChecker(formats: 'assert' | 'annotate'): InstanceType<typeof import('ajv/dist/2020.js').Ajv2020> {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const checker = new Ajv2020({
    allErrors: true,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: formats === 'assert',
    ownProperties: true, // else `required: [constructor]` is met by every object
    code: { regExp: tolerantRegExp },
  });
  if (formats === 'assert') {
    const plugin = load('ajv-formats') as typeof import('ajv-formats');
    plugin.default(checker);
  }
  return checker;
}

const tolerantRegExp = Object.assign(readPattern, { code: 'new RegExp' });

function toViolation(error: import('ajv').ErrorObject): Violation {
  const params: unknown = JSON.parse(JSON.stringify(error.params));
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    message: error.message ?? error.keyword,
    params: isJsonObject(params) ? params : {},
  };
}

function versionOf(options: SchemaCheckOptions): OpenApiVersion {
  if (options.openapi !== undefined) return options.openapi;
  const declared = options.root?.['openapi'];
  return typeof declared === 'string' && declared.startsWith('3.0') ? '3.0' : '3.1';
}
