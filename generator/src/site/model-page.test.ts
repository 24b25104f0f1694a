import { expect, test } from 'vitest';
import { modelDocument } from '../../tests/fake-router.ts';
import { readModel } from '../../tests/read-model.ts';
import { namePackages } from '../emit/emitted-file.ts';
import { type FieldRow, flattenRows } from './field-list.ts';
import { type ModelPage, modelPage } from './model-page.ts';

const settings = { names: namePackages('@acme'), layout: 'packages', hasDescriptors: true } as const;
type Schemas = Parameters<typeof modelDocument>[1];

function renderPage(schemas: Schemas, changes: Partial<Parameters<typeof modelPage>[1]> = {}): ModelPage {
  return modelPage(readModel(modelDocument('p/m', schemas)).binding, { ...settings, ...changes });
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
  flattenRows(rows).map((row) => `${row.path}: ${showType(row)}`);
const size = { type: 'object', properties: { width: { type: 'integer' } } };

test.each([
  ['a number', input({ x: { type: 'integer' } }), ['x: integer']],
  ['a nullable text', input({ x: { type: 'string', nullable: true } }), ['x: string | null']],
  ['a list', input({ x: { type: 'string', enum: ['a', 'b'] } }), ['x: string']],
  [
    'an array of choices',
    input({ x: { type: 'array', items: { type: ['string', 'null'] } } }),
    ['x: (string | null)[]'],
  ],
  ['an object within', input({ x: size }), ['x: object', 'x.width: integer']],
  ['objects in an array', input({ x: { type: 'array', items: size } }), ['x: object[]', 'x[].width: integer']],
  ['other names', input({}, { additionalProperties: { type: 'number' } }), ['*: number']],
  [
    'a choice of objects',
    input({ x: { anyOf: [{ type: 'string' }, size, { type: 'array', items: size }] } }),
    ['x: string | object | object[]', 'x.width: integer', 'x[].width: integer'],
  ],
  ['a name for the whole', { input: { $ref: '#/components/schemas/S' }, components: { S: size } }, ['width: integer']],
  [
    'required ones first',
    input({ x: size, y: {}, z: {} }, { required: ['z', 'x'] }),
    ['x: object', 'x.width: integer', 'z: unknown', 'y: unknown'],
  ],
  ['a name within', { ...input({ x: { $ref: '#/components/schemas/S' } }), components: { S: size } }, ['x: S']],
])('the fields of %s are listed', (_what, schemas, expected) => {
  expect(showRows(renderPage(schemas).input.rows)).toEqual(expected);
});

test('a field shows what the document says of it', () => {
  const x = {
    ...{ type: 'string', minLength: 2, pattern: '^a', default: 'ab', enum: ['ab', 'ac'], examples: ['ac'] },
    ...{ description: '  First.\n  Still first.\n\n  - an item', deprecated: true },
  };
  const [row] = renderPage(input({ x }, { required: ['x'] })).input.rows;
  expect(row).toMatchObject({
    ...{ path: 'x', required: true, deprecated: true, default: '"ab"', values: ['"ab"', '"ac"'], examples: ['"ac"'] },
    bounds: ['from 2 characters', 'pattern "^a"'],
    ...{ brief: 'First. Still first.\n\n- an item', more: '' },
  });
});

test('a type has its own list where something leads to it, also to itself', () => {
  const S = { type: 'object', properties: { inner: { $ref: '#/components/schemas/S' } } };
  const components = { S, Lost: size };
  const { types } = renderPage({ ...input({ x: { $ref: '#/components/schemas/S' } }), components });
  expect(types.map(({ name, rows }) => [name, ...showRows(rows)])).toEqual([['S', 'inner: S']]);
  expect(types[0]?.rows[0]?.type).toEqual([{ text: 'S', isName: true }]);
});

test('a page lists two thousand fields at most, and counts the rest', () => {
  const properties = Object.fromEntries(Array.from({ length: 2_200 }, (_, index) => [`f${index}`, { type: 'string' }]));
  const { rows, omitted } = renderPage(input(properties)).input;
  expect([rows.length, omitted]).toEqual([2_000, 200]);
});

test('an input that is not described has no fields, and a call without any', () => {
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
    `import { createModelRouter } from "./model-router/index.js";
import { model } from "./models/p/m.js";

const { data } = await createModelRouter().run(model, { prompt: "a harbour's light", size: [1] });`,
  ],
  [
    'types alone',
    { hasDescriptors: false },
    `import { createModelRouter } from "@acme/model-router";
import type { Input } from "@acme/models/p/m";

const { data } = await createModelRouter().run("p/m", { prompt: "a harbour's light", size: [1] } satisfies Input);`,
  ],
] as const)('the call in TypeScript imports %s', (_what, changes, expected) => {
  const samples = samplesOf(renderPage(input({ prompt: { type: 'string' } }, { example }), changes));
  expect(joinCall(samples.typescript)).toBe(expected);
});

test('an example of an earlier schema is not shown as a call', () => {
  const before = { example: { prompt: 'a harbour' } };
  const now = input({ prompt: { type: 'string' }, mood: { type: 'string' } }, { ...before, required: ['mood'] });
  expect(samplesOf(renderPage(now)).input).toMatch(/"mood":"/);
  const closed = input({ text: { type: 'string' } }, { ...before, additionalProperties: false });
  expect(samplesOf(renderPage(closed)).input).not.toContain('prompt');
});

test('a long input has a line per member', () => {
  const long = { prompt: 'light '.repeat(20), size: [1] };
  const { typescript } = samplesOf(renderPage(input({ prompt: { type: 'string' } }, { example: long })));
  expect(joinCall(typescript).split('\n').slice(3)).toEqual([
    'const { data } = await createModelRouter().run(model, {',
    `  prompt: "${long.prompt}",`,
    '  size: [1],',
    '});',
  ]);
});

test.each([
  [
    'an item in each list',
    { contents: { type: 'array', items: { type: 'string', examples: ['a boat'] } } },
    { contents: ['a boat'] },
  ],
  [
    'a member in each object',
    { parts: { type: 'array', items: { type: 'object', properties: { text: { examples: ['a boat'] }, data: {} } } } },
    { parts: [{ text: 'a boat' }] },
  ],
])('a call without an example has %s', (_what, properties, expected) => {
  const samples = samplesOf(renderPage(input(properties, { required: Object.keys(properties) })));
  expect(JSON.parse(samples.input)).toEqual(expected);
});

test('a page shows no call and no example where none is valid', () => {
  const impossible = { code: { type: 'string', pattern: '^a$', minLength: 2 } };
  const page = renderPage(input(impossible, { required: ['code'], example: { code: 'a' } }));
  expect([page.samples, page.inputExample]).toEqual([undefined, '']);
});
