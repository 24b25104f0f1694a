import { expect, test } from 'vitest';
import { modelDocument } from '../../tests/fake-router.ts';
import { readModel } from '../../tests/read-model.ts';
import { namePackages } from '../emit/emitted-file.ts';
import { type FieldRow, flattenRows } from './field-list.ts';
import { describeModelPage, type ModelPage } from './model-page.ts';

const settings = { names: namePackages('@acme'), layout: 'packages', hasDescriptors: true } as const;
type Schemas = Parameters<typeof modelDocument>[1];

function renderPage(schemas: Schemas, changes: Partial<Parameters<typeof describeModelPage>[1]> = {}): ModelPage {
  return describeModelPage(readModel(modelDocument('p/m', schemas)).binding, { ...settings, ...changes });
}

const input = (properties: object, more: object = {}): Schemas => ({ input: { type: 'object', properties, ...more } });
const showType = ({ type }: FieldRow): string => type.map(({ text }) => text).join('');
function samplesOf({ samples }: ModelPage): NonNullable<ModelPage['samples']> {
  if (samples === undefined) throw new Error('no call is shown');
  return samples;
}
const joinCall = ({ before, input, after }: ReturnType<typeof samplesOf>['typescript']): string =>
  before + input + after;
const showRows = (rows: readonly FieldRow[]): string[] =>
  flattenRows({ rows, choices: [] }).map((row) => `${row.path}: ${showType(row)}`);
const size = { type: 'object', properties: { width: { type: 'integer' } } };

test.each([
  ['a number', input({ x: { type: 'integer' } }), ['x: integer']],
  ['a nullable text', input({ x: { type: 'string', nullable: true } }), ['x: string | null']],
  ['an enum', input({ x: { type: 'string', enum: ['a', 'b'] } }), ['x: string']],
  ['a number and a special value', input({ x: { anyOf: [{ enum: [-1] }, { type: 'integer' }] } }), ['x: -1 | integer']],
  [
    'an array of nullable items',
    input({ x: { type: 'array', items: { type: ['string', 'null'] } } }),
    ['x: (string | null)[]'],
  ],
  ['a nested object', input({ x: size }), ['x: object', 'x.width: integer']],
  ['objects in an array', input({ x: { type: 'array', items: size } }), ['x: object[]', 'x[].width: integer']],
  ['additional properties', input({}, { additionalProperties: { type: 'number' } }), ['*: number']],
  [
    'a union of a string, an object and an array of objects',
    input({ x: { anyOf: [{ type: 'string' }, size, { type: 'array', items: size }] } }),
    ['x: string | object | object[]', 'x.width: integer', 'x[].width: integer'],
  ],
  [
    'an input that is a reference',
    { input: { $ref: '#/components/schemas/S' }, components: { S: size } },
    ['width: integer'],
  ],
  [
    'an object with required fields, these first',
    input({ x: size, y: {}, z: {} }, { required: ['z', 'x'] }),
    ['x: object', 'x.width: integer', 'z: unknown', 'y: unknown'],
  ],
  [
    'a field that is a reference',
    { ...input({ x: { $ref: '#/components/schemas/S' } }), components: { S: size } },
    ['x: S'],
  ],
])('lists the fields and types of %s', (_what, schemas, expected) => {
  expect(showRows(renderPage(schemas).input.rows)).toEqual(expected);
});

test('shows description, default, values, bounds, examples and deprecation of a field', () => {
  const x = {
    ...{ type: 'string', minLength: 2, pattern: '^a', default: 'ab', enum: ['ab', 'ac'], examples: ['ac'] },
    ...{ description: '  First.\r\n  Still first.\r\n\r\n  - an item', deprecated: true },
  };
  const [row] = renderPage(input({ x }, { required: ['x'] })).input.rows;
  expect(row).toMatchObject({
    ...{ path: 'x', required: true, deprecated: true, default: '"ab"', values: ['"ab"', '"ac"'], examples: ['"ac"'] },
    bounds: ['at least 2 characters', 'matches "^a"'],
    description: '  First.\n  Still first.\n\n  - an item',
  });
});

test('names the fields of array items relative to the item', () => {
  const [row] = renderPage(input({ x: { type: 'array', items: size } })).input.rows;
  expect([row?.inner, row?.children[0]?.name]).toEqual(['x[]', 'width']);
});

test.each([
  ['minProperties', { type: 'object', minProperties: 1 }, ['at least 1 field']],
  ['a fixed number of items', { type: 'array', minItems: 2, maxItems: 2 }, ['2 items']],
  ['multipleOf', { type: 'integer', multipleOf: 8, maximum: 64 }, ['at most 64', 'a multiple of 8']],
  ['uniqueItems', { type: 'array', uniqueItems: true }, ['no duplicate items']],
])('describes %s in words', (_what, x, expected) => {
  expect(renderPage(input({ x })).input.rows[0]?.bounds).toEqual(expected);
});

const text = { type: 'string' };
const member = (properties: object, ...required: string[]) => ({ type: 'object', properties, required });

test.each<[string, object, string[], [heading: string, ...rows: string[]][]]>([
  [
    'with the value of the field that distinguishes it',
    {
      oneOf: [
        member({ kind: { enum: ['a'] }, x: text, s: text }, 'kind'),
        member({ kind: { enum: ['b'] }, s: text }, 'kind'),
      ],
    },
    ['s: string'],
    [
      ['`kind: "a"`', 'kind: "a"', 'x: string'],
      ['`kind: "b"`', 'kind: "b"'],
    ],
  ],
  [
    'with the fields that it requires',
    { ...member({ task: text, url: text, s: text }, 's'), oneOf: [{ required: ['task'] }, { required: ['url'] }] },
    ['s: string'],
    [
      ['with `task`', 'task: string'],
      ['with `url`', 'url: string'],
    ],
  ],
  [
    'with its title',
    {
      properties: { s: text },
      oneOf: [{ title: 'From a text', ...member({ prompt: text }, 'prompt') }, { $ref: '#/components/schemas/Remix' }],
    },
    ['s: string'],
    [
      ['From a text', 'prompt: string'],
      ['Remix', 'clip: string'],
    ],
  ],
  [
    'and the fields that several alternatives may have only once',
    { ...member({ a: text, b: text, c: text }), anyOf: [{ required: ['a'] }, { required: ['b', 'c'] }] },
    ['a: string', 'b: string', 'c: string'],
    [['with `a`'], ['with `b` and `c`']],
  ],
])('lists each alternative under a heading %s', (_what, schema, shared, choices) => {
  const components = { Remix: member({ clip: text }, 'clip') };
  const section = renderPage({ input: schema, components }).input;
  const rows = section.rows.filter(({ path }) => path !== '');
  expect(showRows(rows).sort()).toEqual(shared);
  const shown = section.choices.map(({ heading, rows }) => [
    heading.map(({ text, isCode }) => (isCode ? `\`${text}\`` : text)).join(''),
    ...showRows(rows),
  ]);
  expect(shown).toEqual(choices);
});

test('lists each referenced type once, including recursive ones', () => {
  const S = { type: 'object', properties: { inner: { $ref: '#/components/schemas/S' } } };
  const components = { S, Lost: size };
  const { types } = renderPage({ ...input({ x: { $ref: '#/components/schemas/S' } }), components });
  expect(types.map(({ name, rows }) => [name, ...showRows(rows)])).toEqual([['S', 'inner: S']]);
  expect(types[0]?.rows[0]?.type).toEqual([{ text: 'S', isName: true }]);
});

test('lists at most 2,000 fields on a page and counts the omitted ones', () => {
  const properties = Object.fromEntries(Array.from({ length: 2_200 }, (_, index) => [`f${index}`, { type: 'string' }]));
  const { rows, omitted } = renderPage(input(properties)).input;
  expect([rows.length, omitted]).toEqual([2_000, 200]);
});

test('marks an input without an authored schema, and shows a call with an empty object', () => {
  const page = renderPage({ root: { 'x-service-input-schema-authored': false } });
  expect([page.inputAuthored, samplesOf(page).input]).toEqual([false, '{}']);
});

const example = { prompt: "a harbour's light", size: [1] };

test.each([
  [
    'packages',
    {},
    `import { createModelRouter } from "@acme/model-router";
import { model } from "@acme/models/p/m";

const { data } = await createModelRouter().run(model, { prompt: "a harbour's light", size: [1] });`,
  ],
  [
    'plain files',
    { layout: 'folder' },
    `const response = await fetch(process.env.MODEL_ROUTER_URL + "/v2/models/p/m", {
  method: "POST",
  headers: { "X-API-Key": process.env.MODEL_ROUTER_API_KEY ?? "", "Content-Type": "application/json" },
  body: JSON.stringify({ prompt: "a harbour's light", size: [1] }),
});
const data = await response.json();`,
  ],
  [
    'packages that only contain types',
    { hasDescriptors: false },
    `import { createModelRouter } from "@acme/model-router";
import type { Input } from "@acme/models/p/m";

const { data } = await createModelRouter().run("p/m", {
  prompt: "a harbour's light",
  size: [1],
} satisfies Input);`,
  ],
] as const)('shows a TypeScript call for %s', (_what, changes, expected) => {
  const samples = samplesOf(renderPage(input({ prompt: { type: 'string' } }, { example }), changes));
  expect(joinCall(samples.typescript)).toBe(expected);
});

test('does not show an example that is invalid for the current schema', () => {
  const before = { example: { prompt: 'a harbour' } };
  const now = input({ prompt: { type: 'string' }, mood: { type: 'string' } }, { ...before, required: ['mood'] });
  expect(samplesOf(renderPage(now)).input).toMatch(/"mood":"/);
  const closed = input({ text: { type: 'string' } }, { ...before, additionalProperties: false });
  expect(samplesOf(renderPage(closed)).input).not.toContain('prompt');
});

test('breaks only the long nested objects of a sample input into lines', () => {
  const prompt = 'light '.repeat(15);
  const long = { parts: [{ prompt, seed: 1 }], view: { angle: 3 } };
  const { typescript } = samplesOf(renderPage(input({ parts: {} }, { example: long })));
  expect(joinCall(typescript).split('\n').slice(3)).toEqual([
    'const { data } = await createModelRouter().run(model, {',
    '  parts: [',
    '    {',
    `      prompt: "${prompt}",`,
    '      seed: 1,',
    '    },',
    '  ],',
    '  view: { angle: 3 },',
    '});',
  ]);
});

test.each([
  [
    'one item in each required array',
    { contents: { type: 'array', items: { type: 'string', examples: ['a boat'] } } },
    { contents: ['a boat'] },
  ],
  [
    'the members of nested objects that have examples',
    { parts: { type: 'array', items: { type: 'object', properties: { text: { examples: ['a boat'] }, data: {} } } } },
    { parts: [{ text: 'a boat' }] },
  ],
])('creates the sample input of a model without an example with %s', (_what, properties, expected) => {
  const samples = samplesOf(renderPage(input(properties, { required: Object.keys(properties) })));
  expect(JSON.parse(samples.input)).toEqual(expected);
});

test('shows no sample call and no example if no valid input is found', () => {
  const impossible = { code: { type: 'string', pattern: '^a$', minLength: 2 } };
  const page = renderPage(input(impossible, { required: ['code'], example: { code: 'a' } }));
  expect([page.samples, page.inputExample]).toEqual([undefined, '']);
});
