// biome-ignore-all lint/suspicious/noThenProperty: it is the keyword
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeRouter, modelDocument } from '../../generator/tests/fake-router.ts';
import { createMemoryFiles, writeToDisk } from '../../generator/tests/memory-files.ts';
import { createDice } from '../../generator/tests/random-documents/dice.ts';
import { randomDocument } from '../../generator/tests/random-documents/documents.ts';
import { mutate, sample } from '../../generator/tests/random-documents/values.ts';
import { runGenerate } from '../../generator/tests/run-generate.ts';
import { createTestSandbox, type TestSandbox } from '../../sandbox/tests/test-sandbox.ts';
import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../specs/src/index.ts';

// Compares the failures that `validateInput` lists with those in a 422 of the sandbox, which must be the same.

const text = { type: 'string' };
const size = { title: 'Image size', type: 'object', properties: { width: { type: 'integer' } }, required: ['width'] };
const components = {
  Crop: { type: 'object', properties: { kind: { const: 'crop' }, x: { type: 'integer' } }, required: ['kind', 'x'] },
  image_fit: { type: 'object', properties: { kind: { const: 'fit' }, to: text }, required: ['kind', 'to'] },
  Size: size,
  Hidden: { type: 'object', properties: { id: { ...text, readOnly: true }, name: text }, required: ['id', 'name'] },
};
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Schemas for the member `a`, and values that violate them. */
const keywords: readonly [name: string, schema: JsonValue, values: readonly JsonValue[]][] = [
  ['type', { type: 'integer' }, ['x', 1.5, null]],
  ['types', { type: ['string', 'null'] }, [1, {}]],
  ['nullable', { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, ['x', 0]],
  ['enum', { enum: ['s', 'm', { a: 1 }] }, ['l', { a: 2 }]],
  ['const', { const: 'yes' }, ['no', 1]],
  ['minimum', { type: 'number', minimum: 1 }, [0]],
  ['exclusive-maximum', { type: 'number', exclusiveMaximum: 1 }, [1]],
  ['multiple-of', { type: 'number', multipleOf: 0.1 }, [0.25]],
  ['lengths', { type: 'string', minLength: 2, maxLength: 3 }, ['', 'abcd']],
  ['pattern', { type: 'string', pattern: '^[a-z]+$' }, ['1']],
  ['format', { type: 'string', format: 'date' }, ['no date']],
  ['items', { type: 'array', items: text, minItems: 1, uniqueItems: true }, [[1, 'x', 2], [], ['x', 'x']]],
  ['tuple', { prefixItems: [text, { type: 'integer' }], items: false }, [[1, 'x', 3]]],
  ['contains', { contains: text, maxContains: 1 }, [[1], ['a', 'b']]],
  ['members', { type: 'object', required: ['b', 'c'], properties: { b: text } }, [{}, { b: 1, c: 1 }]],
  ['closed', { type: 'object', properties: { b: text }, additionalProperties: false }, [{ b: 'x', z: 1 }]],
  ['names', { type: 'object', propertyNames: { maxLength: 1 } }, [{ bb: 1 }]],
  ['name-patterns', { patternProperties: { '^x': text }, unevaluatedProperties: false }, [{ x: 1, y: 2 }]],
  ['dependents', { dependentRequired: { b: ['c'] }, dependentSchemas: { d: { required: ['e'] } } }, [{ b: 1, d: 1 }]],
  ['member-count', { minProperties: 1, maxProperties: 1 }, [{}, { a: 1, b: 2 }]],
  ['not', { not: text }, ['x']],
  ['condition', { if: text, then: { minLength: 2 }, else: { type: 'integer' } }, ['x', null]],
  ['all-of', { allOf: [to('Size'), { required: ['height'] }] }, [{}, { width: 'x' }]],
  ['any-of', { anyOf: [to('Crop'), to('image_fit'), size, { enum: ['whole'] }] }, [1, {}, { kind: 'fit' }, 'x']],
  ['one-of', { oneOf: [to('Crop'), { allOf: [to('image_fit')] }, {}] }, [{ kind: 'crop', x: 1 }]],
  ['sides', { oneOf: [to('Hidden'), to('Crop')] }, [{}, { id: 'x' }]],
];

const seed = 20_261_128;
const dice = createDice(seed);

const documentOf = (id: string, schema: JsonValue): object =>
  modelDocument(id, {
    input: { type: 'object', properties: { a: schema } },
    components,
    root: { openapi: '3.1.0' },
  });

const table = new Map(
  keywords.map(([name, schema, values]) => [
    `table/${name}`,
    { document: documentOf(`table/${name}`, schema), values },
  ]),
);
/** `npm run test:long` uses 300. */
const length = Number(process.env['SWITCHYARD_DOCUMENTS'] ?? 10);
const random = new Map(
  Array.from({ length }, (_, index) => `random/made-${index}`).map((id) => [id, randomDocument(id, dice)]),
);

type Failure = { loc: unknown; msg: string; type: string; ctx?: unknown };
type Script = { validateInput(value: unknown): { valid: boolean; detail?: readonly Failure[] } };

let folder = '';
let sandbox: TestSandbox;
beforeAll(async () => {
  const documents: Record<string, object> = Object.fromEntries([
    ...[...table].map(([id, { document }]) => [id, document] as const),
    ...random,
  ]);
  const files = createMemoryFiles();
  await runGenerate(createFakeRouter(documents), files);
  folder = writeToDisk(files);
  const encoder = new TextEncoder();
  const catalog = Object.entries(documents).map(([id, document]) => {
    return { id, billing: 'no', bytes: encoder.encode(JSON.stringify(document)) };
  });
  sandbox = createTestSandbox({ catalog, limits: { callsPerWindow: 100_000, spendCents: 100_000_000 } });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the failures that the client and the sandbox list for an input. */
async function listFailures(
  id: string,
  input: JsonObject,
): Promise<{ client: readonly Failure[]; sandbox: readonly Failure[] }> {
  const script: Script = await import(/* @vite-ignore */ join(folder, 'models', `${id}.js`));
  const checked = script.validateInput(input);
  const reply = await sandbox.call('POST', `/v2/models/${id}`, { json: input });
  const detail = reply.status === 422 ? reply.json['detail'] : [];
  const entries = (Array.isArray(detail) ? detail : [{ status: reply.status }]) as unknown as Failure[];
  return {
    client: checked.valid ? [] : JSON.parse(JSON.stringify(checked.detail)),
    sandbox: entries.map(({ loc, msg, type, ctx }) => ({ loc, msg, type, ...(ctx === undefined ? {} : { ctx }) })),
  };
}

describe('validateInput and the 422 of the sandbox list the same failures', () => {
  test.each([...table])(
    'validateInput and the 422 of the sandbox list the same failures for %s',
    async (id, { values }) => {
      for (const value of values) {
        const found = await listFailures(id, { a: value });
        expect(found.client).toEqual(found.sandbox);
        // Formats are only informative, so they cause no failures.
        expect(found.client.length > 0).toBe(id !== 'table/format');
      }
    },
  );

  test.each([...random])(
    `validateInput and the 422 of the sandbox list the same failures for %s (seed ${seed})`,
    async (id, document) => {
      const schema = resolvePointer(
        document,
        `/paths/~1v2~1models~1${id.replace('/', '~1')}/post/requestBody/content/application~1json/schema`,
      );
      const samples = Array.from({ length: 6 }, () => sample(schema ?? true, document, dice));
      for (const input of [...samples, ...samples.flatMap((one) => mutate(one, samples, dice))].filter(isJsonObject)) {
        const found = await listFailures(id, input);
        expect(found.client, JSON.stringify(input)).toEqual(found.sandbox);
      }
    },
  );
});

test('a validation failure names alternatives by their component name or title, never by an internal definition', async () => {
  const { client } = await listFailures('table/any-of', { a: 1 });
  expect(client).toEqual([
    expect.objectContaining({
      loc: ['a'],
      msg: 'must match one of the alternatives: Crop, image_fit, Image size, "whole"',
    }),
  ]);
  const several = await listFailures('table/one-of', { a: { kind: 'crop', x: 1 } });
  expect(several.client).toEqual([expect.objectContaining({ loc: ['a'], type: 'union_mismatch' })]);
  const either = await listFailures('table/sides', { a: { id: 'x' } });
  expect(either.client).toEqual([expect.objectContaining({ msg: expect.stringContaining('Hidden, Crop') })]);
});
