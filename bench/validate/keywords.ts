import type { Json, JsonSchema } from '../../runtime/src/validation/schema.ts';

/** A schema and a value of `count` items that it accepts, and one whose last item it refuses. */
export type KeywordCase = { schema: JsonSchema; valid: unknown; invalid: unknown };
type Make = (count: number) => KeywordCase;

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const members = (count: number, make: (index: number) => unknown): object =>
  Object.fromEntries(times(count, (index) => [`name${index}`, make(index)]));
const item = (index: number): Json => ({ name: `item ${index}`, at: { index, of: [index, String(index)] } });
const self = { $ref: '#/$defs/self' };

/** An array of `count` items, where the last one decides. */
function items(schema: JsonSchema, make: (index: number) => unknown, wrong: unknown): Make {
  return (count) => {
    const valid = times(count, make);
    return { schema, valid, invalid: [...valid.slice(1), wrong] };
  };
}

/** An object of `count` members, where the last one decides. */
function fields(schema: JsonSchema, make: (index: number) => unknown, [name, wrong]: [string, unknown]): Make {
  return (count) => ({ schema, valid: members(count, make), invalid: { ...members(count - 1, make), [name]: wrong } });
}

const text = (schema: JsonSchema, part: string, wrong: string): Make => {
  return (count) => ({ schema, valid: part.repeat(count), invalid: part.repeat(count - 1) + wrong });
};

const branches = {
  anyOf: [{ type: 'array', items: self }, { type: 'array', items: self, maxItems: 0 }, { type: 'null' }],
};

/** Each keyword over an input whose size it has to visit. */
export const keywordCases: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['type', items({ items: { type: 'integer' } }, (index) => index, 'x')],
  ['enum of scalars', (count) => enumCase(count, (index) => index)],
  ['enum of objects', (count) => enumCase(count, item)],
  ['enum of one object', items({ items: { enum: [item(1)] } }, () => item(1), item(2))],
  ['uniqueItems of scalars', items({ uniqueItems: true }, (index) => index, 1)],
  ['uniqueItems of objects', items({ uniqueItems: true }, item, item(1))],
  [
    'uniqueItems at every level',
    (count) => nested({ uniqueItems: true, items: self }, count, { leaf: (index) => index, wrong: [1, 1] }),
  ],
  ['minimum … multipleOf', items({ items: { minimum: 0, maximum: 1e9, multipleOf: 1 } }, (index) => index, 0.5)],
  [
    'minLength, maxLength',
    (count) => ({
      schema: { minLength: 2, maxLength: count },
      valid: 'é'.repeat(count),
      invalid: '😀'.repeat(count + 1),
    }),
  ],
  ['pattern', text({ pattern: '^(?:[a-z]+)+$' }, 'a', '!')],
  ['pattern with a look ahead', text({ pattern: '^(?:(?!!.*)[a-z!])*$' }, 'a', '!')],
  [
    'prefixItems, items',
    (count) => ({
      schema: { prefixItems: times(10, () => ({})), items: { type: 'string' } },
      valid: times(count, (at) => (at < 10 ? at : 'x')),
      invalid: times(count, (at) => (at < count - 1 ? 'x' : at)),
    }),
  ],
  ['contains, minContains', items({ contains: { enum: [0] }, minContains: 1, maxContains: 1 }, (index) => index, 1)],
  [
    'unevaluatedItems',
    items({ anyOf: [{ contains: { type: 'integer' } }], unevaluatedItems: false }, (index) => index, 'x'),
  ],
  [
    'properties, required',
    (count) => ({
      schema: {
        properties: members(count, () => ({ type: 'integer' })),
        required: Object.keys(members(count, () => 1)),
      } as JsonSchema,
      valid: members(count, (at) => at),
      invalid: members(count - 1, (at) => at),
    }),
  ],
  [
    'patternProperties',
    // Read to its end, a pattern would take more steps for so many names than a call may take.
    fields({ patternProperties: { '^name': { type: 'integer' } }, additionalProperties: false }, (at) => at, [
      'other',
      1,
    ]),
  ],
  ['additionalProperties', fields({ additionalProperties: { type: 'integer' } }, (at) => at, ['name', 'x'])],
  ['propertyNames', fields({ propertyNames: { maxLength: 12 } }, (at) => at, ['a name that is long', 1])],
  [
    'minProperties, maxProperties',
    (count) => ({
      schema: { minProperties: count },
      valid: members(count, (at) => at),
      invalid: members(count - 1, (at) => at),
    }),
  ],
  [
    'dependentRequired, dependentSchemas',
    fields(
      {
        dependentRequired: { name1: ['name2'] },
        dependentSchemas: { name1: { additionalProperties: { type: 'integer' } } },
      },
      (at) => at,
      ['name', 'x'],
    ),
  ],
  [
    'unevaluatedProperties',
    fields(
      { allOf: [{ patternProperties: { '^name': { type: 'integer' } } }], unevaluatedProperties: false },
      (at) => at,
      ['other', 1],
    ),
  ],
  ['allOf', items({ items: { allOf: [{ required: ['name'] }, { required: ['at'] }] } }, item, {})],
  ['anyOf', items({ items: { anyOf: [{ type: 'string' }, { required: ['at'] }] } }, item, {})],
  ['oneOf', items({ items: { oneOf: [{ type: 'string' }, { required: ['at'] }] } }, item, {})],
  ['not', items({ items: { not: { type: 'string' } } }, item, 'x')],
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword
  ['if, then, else', items({ items: { if: { type: 'object' }, then: { required: ['at'] }, else: false } }, item, {})],
  ['$ref', items({ items: self, $defs: { self: { anyOf: [{ required: ['at'] }] } } }, item, {})],
  ['anyOf over the same items', (count) => nested(branches, count, { leaf: () => null, wrong: 'x' })],
]);

function enumCase(count: number, make: (index: number) => unknown): KeywordCase {
  const values = times(count, make);
  return {
    schema: { items: { enum: values } } as JsonSchema,
    valid: times(count, make),
    invalid: [...values.slice(1), 'x'],
  };
}

type Leaves = { leaf: (index: number) => unknown; wrong: unknown };

/** Arrays a hundred levels deep with `count` items, spread over the levels. */
function nested(definition: object, count: number, { leaf, wrong }: Leaves): KeywordCase {
  const schema = { ...self, $defs: { self: definition } } as JsonSchema;
  const build = (innermost: unknown): unknown => {
    let value = innermost;
    for (let level = 0; level < 100; level++) value = [value, ...times(count / 100 - 1, (index) => leaf(index + 1))];
    return value;
  };
  return { schema, valid: build(leaf(0)), invalid: build(wrong) };
}
