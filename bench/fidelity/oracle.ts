import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties.js';
import anyOf from 'ajv/dist/vocabularies/applicator/anyOf.js';
import not from 'ajv/dist/vocabularies/applicator/not.js';
import { toAjvSchema } from '../../generator/tests/raw-ajv-schema.ts';
import {
  asObject,
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Schema,
} from '../../specs/src/index.ts';
import type { Subject } from './subject.ts';

/**
 * How the type checker should treat a value. `as`: the form in which the value must be rejected, because TypeScript rejects
 * excess properties only in a literal. Undefined if no type can express why the value is invalid.
 */
export type Decision =
  | { accepts: true }
  | { accepts: false; as: 'variable' | 'literal'; isTwoBranches: boolean }
  | undefined;

export type Oracle = {
  isValid(value: JsonValue): boolean;
  decide(value: JsonValue): Decision;
  /** True if every key of a valid value is declared, so that it can also be written as a literal. */
  isDeclared(value: JsonValue): boolean;
};

/** Keywords that TypeScript types can't express. */
const inexpressible = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'contains', 'minContains', 'maxContains', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'if', 'then', 'else', 'unevaluatedItems', 'patternProperties'],
];

/** Creates an oracle from ajv validators: for the original schema, and for variants with the rules of TypeScript types. */
export function createOracle(subject: Subject): Oracle {
  const { schema: raw, root } = modernise(subject);
  const schema = toAjvSchema(raw, { root, side: subject.direction });
  const strict = createAjv().compile(schema);
  const withOneOfErrors = lazy(() => createAjv(true).compile(schema));
  const joined = lazy(() => joinBranches(createAjv()).compile(schema));
  const expressible = lazy(() => onlyExpressible(createAjv()).compile(widen(schema)));
  const open = lazy(() => openObjects(onlyExpressible(createAjv())).compile(widen(schema)));
  const declared = lazy(() => createAjv().compile(closeObjects(schema)));
  return {
    isValid: (value) => strict(value),
    isDeclared: (value) => declared()(value),
    decide(value) {
      if (strict(value)) return { accepts: true };
      if (!expressible()(value))
        return { accepts: false, as: open()(value) ? 'literal' : 'variable', isTwoBranches: false };
      if (!joined()(value)) return undefined; // a violation other than a second matching branch
      withOneOfErrors()(value);
      const isTwoBranches = (withOneOfErrors().errors ?? []).some(matchesTwice);
      return isTwoBranches ? { accepts: false, as: 'variable', isTwoBranches } : undefined;
    },
  };
}

/** Rewrites tuples of older drafts as `prefixItems`, and references to anchors as pointers. */
function modernise({ schema, root }: Subject): { schema: Schema; root: JsonObject } {
  const pointers = new Map<JsonValue, string>();
  const collect = (value: JsonValue, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $anchor, $dynamicAnchor } = asObject(value);
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string') pointers.set(`#${name}`, `#${formatPointer(path)}`);
    for (const [key, part] of Object.entries(value)) collect(part, [...path, key]);
  };
  collect(root, []);
  return JSON.parse(JSON.stringify({ schema, root }), (_, value) => {
    const { items, additionalItems, $ref, $dynamicRef, ...rest } = asObject(value);
    const pointer = pointers.get($dynamicRef ?? $ref ?? null);
    if (pointer !== undefined) return { ...value, $ref: pointer, $dynamicRef: undefined };
    if (!Array.isArray(items)) return value;
    return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
  });
}

function createAjv(allErrors = false): Ajv2020 {
  return new Ajv2020({
    allErrors,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    ownProperties: true, // otherwise every object has a `constructor`
    multipleOfPrecision: 9, // 0.3 is a multiple of 0.1
    unicodeRegExp: false,
  });
}

const matchesTwice = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'oneOf' && Array.isArray(params['passingSchemas']);

function joinBranches(ajv: Ajv2020): Ajv2020 {
  ajv.removeKeyword('oneOf').addKeyword({ ...anyOf.default, keyword: 'oneOf' });
  return ajv;
}

function onlyExpressible(ajv: Ajv2020): Ajv2020 {
  joinBranches(ajv);
  for (const keyword of [...inexpressible, 'minItems', 'maxItems', 'not', 'additionalProperties'])
    ajv.removeKeyword(keyword);
  // TypeScript can express the length of a tuple, but not that of a list.
  const ofTuple = (holds: (length: number, bound: number) => boolean) => (bound: number, parent: object) =>
    Object.hasOwn(parent, 'prefixItems') ? (list: JsonValue[]) => holds(list.length, bound) : () => true;
  ajv.addKeyword({ keyword: 'minItems', type: 'array', compile: ofTuple((length, bound) => length >= bound) });
  ajv.addKeyword({ keyword: 'maxItems', type: 'array', compile: ofTuple((length, bound) => length <= bound) });
  ajv.addKeyword({ ...not.default, code: (context) => isExpressibleNot(context.schema) && not.default.code(context) });
  // Ignores `additionalProperties` next to `patternProperties`, which was removed above.
  const isPlain = (parent: object): boolean => !Object.hasOwn(parent, 'patternProperties');
  ajv.addKeyword({
    ...additionalProperties.default,
    before: 'unevaluatedProperties',
    code: (context) => isPlain(context.parentSchema) && additionalProperties.default.code(context),
  });
  return ajv;
}

// Types can express `not: {}` as `never`, and `not: { required: [key] }` as an absent key.
function isExpressibleNot(schema: Schema): boolean {
  const keywords = asObject(schema);
  const { required } = keywords;
  const isAbsentKey = Array.isArray(required) && required.length === 1 && Object.keys(keywords).length === 1;
  return schema === true || (isJsonObject(schema) && (Object.keys(keywords).length === 0 || isAbsentKey));
}

/** Lets every object have additional keys, including objects in `enum` and `const`, as TypeScript does except in literals. */
function openObjects(ajv: Ajv2020): Ajv2020 {
  for (const keyword of ['unevaluatedProperties', 'additionalProperties', 'enum', 'const']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    ...additionalProperties.default,
    code: (context) => context.schema !== false && additionalProperties.default.code(context),
  });
  ajv.addKeyword({
    keyword: 'enum',
    compile: (list: JsonValue[]) => (value) => list.some((one) => includes(value, one)),
  });
  ajv.addKeyword({ keyword: 'const', compile: (only: JsonValue) => (value) => includes(value, only) });
  return ajv;
}

/** True if the values are equal, except that objects in `value` may have additional members. */
function includes(value: JsonValue | undefined, expected: JsonValue): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((item, index) => includes(value[index], item))
    );
  if (!isJsonObject(expected)) return value === expected;
  return isJsonObject(value) && Object.entries(expected).every(([name, member]) => includes(value[name], member));
}

/** Widens a schema like types: integers become numbers, and index signatures also accept the types of listed members. */
function widen(schema: Schema): Schema {
  return revive(schema, (key, value) => {
    if (key === 'type' && value === 'integer') return 'number';
    if (key === 'type' && Array.isArray(value) && value.includes('integer'))
      return [...new Set(value.map((type) => (type === 'integer' ? 'number' : type)))];
    const { properties } = asObject(value);
    if (!isJsonObject(properties) || !isJsonObject(value)) return value;
    const wider = { ...value };
    for (const keyword of ['additionalProperties', 'unevaluatedProperties'])
      if (isJsonObject(value[keyword])) wider[keyword] = { anyOf: [value[keyword], ...Object.values(properties)] };
    return wider;
  });
}

/** Closes every object in a schema, so that it only accepts declared members. */
function closeObjects(schema: Schema): Schema {
  const close = (part: JsonValue): JsonValue =>
    isJsonObject(part) && part['unevaluatedProperties'] === undefined && part['additionalProperties'] === undefined
      ? { ...part, unevaluatedProperties: false }
      : part;
  return revive(schema, (key, value) => {
    if (key === 'prefixItems' && Array.isArray(value)) return value.map(close);
    if ((key === 'properties' || key === 'patternProperties') && isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, close(part)]));
    return key === '' || key === 'items' || key === 'additionalProperties' ? close(value) : value;
  });
}

/** Returns a copy of the schema in which `change` has replaced each value, from the leaves to the root. */
function revive(schema: Schema, change: (key: string, value: JsonValue) => JsonValue): Schema {
  return JSON.parse(JSON.stringify(schema), change);
}

function lazy(create: () => ValidateFunction): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  return () => {
    validate ??= create();
    return validate;
  };
}
