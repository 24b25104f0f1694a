import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, packageRoot } from '../../../specs/src/index.ts';
import { type ChangeRuleId, changeRules, type Direction, determineVerdict } from './change.ts';
import { compareSchemas, createComparison } from './compare-schemas.ts';
import { locateSchema, openDocument } from './documents.ts';

function compare(before: JsonValue, after: JsonValue, direction: Direction = 'input', defs?: [JsonObject, JsonObject]) {
  const located = (schema: JsonValue, $defs: JsonObject = {}) =>
    locateSchema('/schema', openDocument({ schema, $defs }));
  const [old, now] = [located(before, defs?.[0]), located(after, defs?.[1])];
  return compareSchemas({ old: [old], now: [now] }, direction, createComparison(old.document.root, false));
}

const text = { type: 'string' };
const [integer, number] = [{ type: 'integer' }, { type: 'number' }];
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });

type Row = [name: string, before: JsonValue, after: JsonValue, ...rules: string[]];
/** `rules`: expected rules with their pointers below `/schema`; without any, the difference is ignored. */
const rows: Row[] = [
  ['equal schemas', object({ a: text }), object({ a: text })],
  ['the order of keys and names', { required: ['a', 'b'], type: 'object' }, { type: 'object', required: ['b', 'a'] }],
  [
    'a new required property',
    object({ b: text }),
    object({ a: text, b: text }, 'a'),
    'property-added-required /properties/a',
  ],
  ['a new property', object({ b: text }), object({ a: text, b: text }), 'property-added-optional /properties/a'],
  ['the first property of an object that described none', object({}), object({ a: text }), 'names-undescribed /type'],
  ['a removed property', object({ a: text, b: text }, 'a'), object({ b: text }), 'property-removed /properties/a'],
  [
    'a removed property of an object that allows any name now',
    object({ a: text }),
    { ...object({}), additionalProperties: true },
    'property-unlisted /properties/a',
  ],
  [
    'a new property whose type differs from that of additional properties',
    { ...object({}), additionalProperties: text },
    { ...object({ a: integer }), additionalProperties: text },
    'property-added-optional /properties/a',
    'type-changed /properties/a/type',
  ],
  [
    'additional properties that are no longer described',
    { ...object({ a: text }), additionalProperties: true },
    object({ a: text }),
    'names-undescribed /additionalProperties',
  ],
  [
    'a limit for items after those that an allOf lists',
    { allOf: [{ type: 'array', prefixItems: [text] }] },
    { allOf: [{ type: 'array', prefixItems: [text] }], items: { maxLength: 3 } },
    'constraint-added /items/maxLength',
  ],
  [
    'a closed object that does not list the properties of its allOf',
    { allOf: [object({ a: text, b: text })] },
    { allOf: [object({ a: text, b: text })], properties: { b: text }, additionalProperties: false },
    'object-closed /additionalProperties',
    'schema-closed /additionalProperties',
  ],
  [
    'keywords that do not apply to the type',
    { ...text, minimum: 1, items: text },
    { ...text, minItems: 2, required: ['a'] },
  ],
  ['a bound that all listed values meet', { enum: ['a', 'b'] }, { enum: ['a', 'b'], maxLength: 4 }],
  ['a constraint that rejects nothing', text, { ...text, not: false, pattern: '' }],
  ['a not with another type', text, { ...text, not: integer }],
  [
    'a change of the second of two patterns',
    { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    { allOf: [{ pattern: 'a' }, { pattern: 'c' }] },
    'constraint-changed /allOf/1/pattern',
  ],
  [
    'null that two alternatives of a new oneOf accept',
    { anyOf: [{ type: ['integer', 'null'] }, { type: 'null' }] },
    { oneOf: [{ type: ['integer', 'null'] }, { type: 'null' }] },
    'values-refused ',
  ],
  [
    'a removed null next to a nested union',
    { anyOf: [{ anyOf: [text, integer] }, { type: 'null' }] },
    { anyOf: [text, integer] },
    'null-removed ',
  ],
  [
    'a property that became required',
    object({ a: text }),
    object({ a: text }, 'a'),
    'property-became-required /properties/a',
  ],
  [
    'a property that became optional',
    object({ a: text }, 'a'),
    object({ a: text }),
    'property-became-optional /properties/a',
  ],
  [
    'a required name that no property describes',
    { type: 'object' },
    { type: 'object', required: ['a'] },
    'property-became-required /required',
  ],
  ['integer for number', number, integer, 'type-narrowed /type'],
  ['another type', text, integer, 'type-changed /type'],
  ['types that only overlap', { type: ['string', 'integer'] }, { type: ['string', 'boolean'] }, 'type-changed /type'],
  ['a type for a schema without one', {}, text, 'type-narrowed /type'],
  [
    'a changed type that leaves other listed values possible',
    { ...text, enum: ['a', 1] },
    { ...integer, enum: ['a', 1] },
    'enum-value-added /enum',
    'enum-value-removed /enum',
  ],
  ['null added to the list of types', text, { type: ['string', 'null'] }, 'null-added '],
  ['no null any more', nullable(object({ a: text })), object({ a: text }), 'null-removed '],
  ['null as a type instead of an alternative', nullable(text), { type: ['string', 'null'] }],
  ['null removed from an enum', { enum: ['a', null] }, { enum: ['a'] }, 'null-removed '],
  ['an enum', text, { ...text, enum: ['a'] }, 'enum-added /enum'],
  ['an enum that was removed', { ...text, enum: ['a'] }, text, 'enum-removed /enum'],
  [
    'enum values that were replaced',
    { enum: ['a', 'b'] },
    { enum: ['b', 'c'] },
    'enum-value-removed /enum',
    'enum-value-added /enum',
  ],
  ['a const instead of an enum with one value', { enum: ['a'] }, { const: 'a' }],
  ['a tighter minimum', { ...integer, minimum: 1 }, { ...integer, minimum: 2 }, 'constraint-changed /minimum'],
  ['a minimum that became exclusive', { minimum: 1 }, { exclusiveMinimum: 1 }, 'constraint-changed /exclusiveMinimum'],
  [
    'an exclusive minimum that is lower than the inclusive one before',
    { minimum: 5 },
    { exclusiveMinimum: 1 },
    'constraint-changed /exclusiveMinimum',
  ],
  ['a minimum length of 0', text, { ...text, minLength: 0 }],
  [
    'a step that is a multiple of the older one',
    { multipleOf: 2 },
    { multipleOf: 4 },
    'constraint-changed /multipleOf',
  ],
  [
    'a step that is not a multiple of the older one',
    { multipleOf: 4 },
    { multipleOf: 3 },
    'constraint-changed /multipleOf',
  ],
  ['another format', { format: 'uri' }, { format: 'uuid' }, 'format-changed /format'],
  ['a format that was removed', { format: 'uri' }, {}, 'format-changed /format'],
  ['a format that nothing checks', integer, { ...integer, format: 'int32' }, 'format-noted /format'],
  [
    'items that must be unique now',
    { type: 'array' },
    { type: 'array', uniqueItems: true },
    'constraint-added /uniqueItems',
  ],
  [
    'a closed object',
    object({ a: text }),
    { ...object({ a: text }), additionalProperties: false },
    'object-closed /additionalProperties',
  ],
  [
    'an opened object',
    { ...object({ a: text }), additionalProperties: false },
    object({ a: text }),
    'object-opened /additionalProperties',
  ],
  ['an explicitly open object', object({ a: text }), { ...object({ a: text }), additionalProperties: true }],
  [
    'another type of additional properties',
    { additionalProperties: text },
    { additionalProperties: integer },
    'type-changed /additionalProperties/type',
  ],
  [
    'items that are limited to listed values',
    { type: 'array', items: text },
    { type: 'array', items: { ...text, enum: ['a'] } },
    'enum-added /items/enum',
  ],
  [
    'a type for items that were not described',
    { type: 'array' },
    { type: 'array', items: text },
    'type-narrowed /items/type',
  ],
  [
    'another type of a tuple item',
    { type: 'array', prefixItems: [text, text] },
    { type: 'array', prefixItems: [text, integer] },
    'type-changed /prefixItems/1/type',
  ],
  [
    'a further item of a closed tuple',
    { prefixItems: [text], items: false },
    { prefixItems: [text, text], items: false },
    'schema-opened /prefixItems/1',
  ],
  [
    'another type of properties with a name pattern',
    { patternProperties: { '^x': text } },
    { patternProperties: { '^x': integer } },
    'type-changed /patternProperties/^x/type',
  ],
  [
    'an added alternative',
    { anyOf: [text, object({ a: text }, 'a')] },
    { anyOf: [text, object({ a: text }, 'a'), object({ b: text }, 'b')] },
    'union-member-added /anyOf/2',
  ],
  ['an alternative of another type that is removed', { oneOf: [text, integer] }, text, 'type-narrowed /type'],
  [
    'an alternative that another one covers',
    { anyOf: [text, integer] },
    { anyOf: [text, integer, { ...text, enum: ['a'] }] },
  ],
  ['alternatives in another order', { oneOf: [text, integer] }, { oneOf: [integer, text] }],
  [
    'a change within an alternative with a tag',
    { oneOf: [object({ kind: { const: 'a' }, x: text }, 'kind'), object({ kind: { const: 'b' } }, 'kind')] },
    { oneOf: [object({ kind: { const: 'b' } }, 'kind'), object({ kind: { const: 'a' }, x: text }, 'kind', 'x')] },
    'property-became-required /oneOf/1/properties/x',
  ],
  [
    'a removed alternative that only requires a property',
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }] },
    'union-member-removed /oneOf/1',
  ],
  [
    'alternatives of required names for an object that required none',
    object({ a: text, b: text }),
    { ...object({ a: text, b: text }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    'constraint-added ',
  ],
  [
    'a union made exclusive',
    { anyOf: [number, { ...integer, minimum: 3 }] },
    { oneOf: [number, { ...integer, minimum: 3 }] },
    'values-refused ',
  ],
  [
    'a union made exclusive whose alternatives are disjoint',
    { anyOf: [object({ kind: { const: 'a' }, x: text }, 'kind'), object({ kind: { const: 'b' } }, 'kind'), text] },
    { oneOf: [object({ kind: { const: 'a' }, x: text }, 'kind'), object({ kind: { const: 'b' } }, 'kind'), text] },
  ],
  ['a list of types instead of alternatives', { anyOf: [text, integer] }, { type: ['string', 'integer'] }],
  [
    'alternatives with one value each instead of an enum',
    { enum: ['a', 'b'] },
    { ...text, oneOf: [{ const: 'b' }, { const: 'a', title: 'A' }] },
  ],
  [
    'a value added to alternatives',
    { oneOf: [{ const: 'a' }, { const: 'b' }] },
    { oneOf: [{ const: 'a' }, { const: 'b' }, { const: 'c' }] },
    'enum-value-added /oneOf/2/const',
  ],
  [
    'a value in two alternatives of a oneOf',
    { enum: ['a', 'b'] },
    { oneOf: [{ enum: ['a', 'b'] }, { const: 'a' }] },
    'values-refused ',
  ],
  [
    'a type added to alternatives that start with null',
    { anyOf: [{ type: 'null' }, object({ a: text }, 'a'), { type: 'array' }] },
    { anyOf: [{ type: 'null' }, object({ a: text }, 'a'), { type: 'array' }, integer] },
    'type-widened ',
  ],
  [
    'alternatives with the values of the enum and another type',
    { enum: ['a', 'b'] },
    { oneOf: [{ const: 'a' }, { const: 'b' }, integer] },
    'type-widened /enum',
  ],
  [
    'alternatives with the listed types and another one',
    { type: ['string', 'integer'] },
    { anyOf: [text, integer, { type: 'boolean' }] },
    'type-widened /type',
  ],
  ['an enum of true and false instead of the type boolean', { type: 'boolean' }, { enum: [false, true] }],
  [
    'types that exclude each other',
    object({ a: text }),
    object({ a: { allOf: [text, integer] } }),
    'schema-closed /properties/a',
  ],
  [
    'exclusive bounds that exclude no further integer',
    { ...integer, minimum: 1, maximum: 9 },
    { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 9.5 },
  ],
  ['a step of 1 for integers', integer, { ...integer, multipleOf: 1 }],
  [
    'a larger decimal step',
    { type: 'number', multipleOf: 0.1 },
    { type: 'number', multipleOf: 0.3 },
    'constraint-changed /multipleOf',
  ],
  ['a bound in an allOf', text, { allOf: [text, { maxLength: 3 }] }, 'constraint-added /allOf/1/maxLength'],
  [
    'dependents in another order',
    { dependentRequired: { a: ['b', 'c'], d: ['e'] } },
    { dependentRequired: { d: ['e'], a: ['c', 'b'] } },
  ],
  [
    'a removed dependent name',
    { dependentRequired: { a: ['b', 'c'] } },
    { dependentRequired: { a: ['b'] } },
    'constraint-changed /dependentRequired',
  ],
  ['an allOf with the same content', object({ a: text }, 'a'), { allOf: [object({ a: text }), { required: ['a'] }] }],
  [
    'an allOf that requires a property',
    object({ a: text }),
    { allOf: [object({ a: text }), { required: ['a'] }] },
    'property-became-required /allOf/0/properties/a',
  ],
  [
    'a limit that was removed with the second description of a property',
    { allOf: [object({ a: text }), object({ a: { maxLength: 3 } })] },
    object({ a: text }),
    'constraint-removed /allOf/1/properties/a/maxLength',
  ],
  ['an added not', text, { ...text, not: { const: 'a' } }, 'constraint-added /not'],
  [
    'another consequence of a condition',
    JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'),
    JSON.parse('{"if":{"required":["a"]},"then":{"required":["c"]}}'),
    'constraint-changed /then',
  ],
  ['a property that accepts no value', object({ a: text }), object({ a: false }), 'schema-closed /properties/a'],
  ['another default', { ...integer, default: 1 }, { ...integer, default: 2 }, 'default-changed /default'],
  ['another description', { description: 'a' }, { description: 'b' }, 'description-changed /description'],
  ['another title', { title: 'a' }, { title: 'b' }, 'description-changed /title'],
  ['other examples', { examples: ['a'] }, { examples: ['b'] }, 'examples-changed /examples'],
  ['deprecation', text, { ...text, deprecated: true }, 'deprecation-changed /deprecated'],
];

const titled = rows.map(([name, before, after, ...rules]): Row => {
  return [`${rules.length > 0 ? 'reports' : 'ignores'} ${name}`, before, after, ...rules];
});
test.each(titled)('%s', (_, before, after, ...expected) => {
  const changes = compare(before, after);
  expect(changes.map(({ rule, pointer }) => `${rule} ${pointer.replace('/schema', '')}`)).toEqual(expected);
});

test('a new member of a closed output breaks no reader', () => {
  const closed = (schema: JsonObject): JsonObject => ({ ...schema, additionalProperties: false });
  const changes = compare(closed(object({ a: text })), closed(object({ a: text, b: text }, 'b')), 'output');
  expect(changes).toMatchObject([{ rule: 'property-added-required', verdict: 'compatible' }]);
});
test('a new member of a closed output does not hide another break of the object', () => {
  const either = [{ required: ['a'] }, { required: ['b'] }];
  const before = { ...object({ a: text, b: text }), additionalProperties: false, oneOf: either };
  const after = { ...object({ a: text, b: text, c: text }), additionalProperties: false, anyOf: either };
  const changes = compare(before, after, 'output').map(({ rule, verdict }) => `${rule} ${verdict}`);
  expect(new Set(changes)).toEqual(new Set(['property-added-optional compatible', 'values-added breaking']));
});
test.each(['minimum', 'maxLength', 'multipleOf', 'pattern', 'uniqueItems'])(
  'ignores the keyword %s if its value is an object instead of a limit',
  (word) => {
    const odd = { [word]: { toString: 1, valueOf: 1 } };
    for (const type of ['number', 'string', 'array', ['array', 'number']])
      expect([...compare({ ...odd, type }, { type }), ...compare({ type }, { ...odd, type })]).toEqual([]);
  },
);

describe('references', () => {
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

  test('reports a change of a definition once, at the place of the definition', () => {
    const schema = object({ one: ref('File'), two: ref('File') });
    const changes = compare(schema, schema, 'input', [
      { File: object({ a: text }) },
      { File: object({ a: text }, 'a') },
    ]);
    expect(changes).toMatchObject([{ rule: 'property-became-required', pointer: '/$defs/File/properties/a' }]);
  });

  test('ignores different names of definitions, and references that are replaced by their targets', () => {
    const defs: [JsonObject, JsonObject] = [{ Old: object({ a: text }) }, { New: object({ a: text }) }];
    expect(compare(ref('Old'), ref('New'), 'input', defs)).toEqual([]);
    expect(compare(ref('Old'), object({ a: text }), 'input', defs)).toEqual([]);
  });

  test('compares definitions that refer to themselves', () => {
    const tree = (more: JsonObject) => ({
      Tree: object({ up: ref('Tree'), leaves: { type: 'array', items: ref('Tree') }, ...more }),
    });
    expect(compare(ref('Tree'), ref('Tree'), 'output', [tree({}), tree({ size: text })])).toMatchObject([
      { rule: 'property-added-optional', pointer: '/$defs/Tree/properties/size' },
    ]);
    expect(
      compare(ref('Loop'), ref('Loop'), 'output', [{ Loop: ref('Loop') }, { Loop: { allOf: [ref('Loop')] } }]),
    ).toEqual([]);
  });

  test('compares definitions that are their own alternatives', () => {
    const loop = (...others: JsonObject[]) => ({
      Loop: { anyOf: [{ type: 'null' }, { oneOf: [ref('Loop')] }, ...others] },
    });
    expect(compare(ref('Loop'), ref('Loop'), 'input', [loop(), loop()])).toEqual([]);
    expect(() => compare(ref('Loop'), ref('Loop'), 'input', [loop(text), loop()])).not.toThrow();
  });

  test('reports a change between wide recursive unions', () => {
    const wide = (letter: string, width: number) => ({
      Wide: {
        oneOf: [
          text,
          ...Array.from({ length: width }, (_, index) =>
            object({ [`${letter}${index}`]: ref('Wide'), n: ref('Wide') }, 'n'),
          ),
        ],
      },
    });
    const changes = compare(ref('Wide'), ref('Wide'), 'input', [wide('a', 35), wide('b', 36)]);
    expect(changes.some(({ verdict }) => verdict === 'breaking')).toBe(true);
  });

  test('reports a change behind references that branch exponentially', () => {
    const rungs = (leaf: JsonObject) =>
      Object.fromEntries(
        Array.from({ length: 25 }, (_, rung) => [
          `S${rung}`,
          rung === 24
            ? leaf
            : { anyOf: [object({ [`a${rung}`]: ref(`S${rung + 1}`) }), object({ [`b${rung}`]: ref(`S${rung + 1}`) })] },
        ]),
      );
    const changes = compare(ref('S0'), ref('S0'), 'input', [rungs(text), rungs({ type: 'integer' })]);
    expect(changes.some(({ rule }) => rule === 'type-changed')).toBe(true);
  });
});

describe('the budget of a model', () => {
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

  test('finds a change 1,500 definitions deep', () => {
    const chain = (leaf: JsonObject) =>
      Object.fromEntries(
        Array.from({ length: 1_500 }, (_, index) => [
          `S${index}`,
          index === 1_499 ? leaf : object({ next: ref(`S${index + 1}`) }),
        ]),
      );
    expect(compare(ref('S0'), ref('S0'), 'input', [chain(text), chain(text)])).toEqual([]);
    expect(compare(ref('S0'), ref('S0'), 'input', [chain(text), chain({ type: 'integer' })])).toMatchObject([
      { rule: 'type-changed', verdict: 'breaking', pointer: '/$defs/S1499/type' },
    ]);
  });

  test('reports schemas beyond the budget as too large, after the changes that were found', () => {
    const wide = (name: string) =>
      object({
        first: { type: name === 'a' ? 'string' : 'integer' },
        second: { oneOf: Array.from({ length: 50 }, (_, at) => object({ [`${name}${at}`]: text })) },
      });
    const [old, now] = ['a', 'b'].map((name) => locateSchema('/schema', openDocument({ schema: wide(name) })));
    if (old === undefined || now === undefined) throw new Error('two are listed');
    const comparison = createComparison(old.document.root, false, { left: 1_000 });
    expect(compareSchemas({ old: [old], now: [now] }, 'input', comparison)).toMatchObject([
      { rule: 'type-changed', field: 'first' },
      { rule: 'schema-uncompared', verdict: 'breaking' },
    ]);
  });
});

test('lists the same rules in docs/reference/changes.md', () => {
  const page = readFileSync(join(packageRoot(), 'docs/reference/changes.md'), 'utf8');
  const ids = Object.keys(changeRules)
    .filter((id): id is ChangeRuleId => id in changeRules)
    .sort();
  const rows = ids.map((id) => {
    const verdicts = (['input', 'output'] as const).map((direction) => determineVerdict(id, direction));
    return `| \`${id}\` | ${changeRules[id].summary} | ${verdicts.join(' | ')} |`;
  });
  expect(page.split('\n').filter((line) => /^\| `/.test(line))).toEqual(rows);
});
