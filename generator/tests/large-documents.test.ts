import { describe, expect, test } from 'vitest';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles } from './memory-files.ts';
import { runGenerate } from './run-generate.ts';

const id = 'p/large';
const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const members = (count: number, make: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [`p${index}`, make(index)] as const));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const withPaths = (paths: object) => {
  const document = modelDocument(id);
  return { ...document, paths: { ...('paths' in document ? Object(document.paths) : {}), ...paths } };
};

async function run(document: object) {
  const router = createFakeRouter({ 'p/good': modelDocument('p/good'), [id]: document });
  return runGenerate(router, createMemoryFiles());
}

describe('a document beyond a bound is left out alone, and the bound is named', { timeout: 60_000 }, () => {
  test.each<[string, object, string]>([
    ['100,000 properties', modelDocument(id, { input: object(members(100_000, () => text)) }), '50000 schemas'],
    [
      '50,000 schemas',
      modelDocument(id, {
        input: object(members(50_000, (index) => ref(`p${index}`))),
        components: members(50_000, () => text),
      }),
      '50000 schemas',
    ],
    [
      '100,000 members of a oneOf',
      modelDocument(id, { input: object({ a: { oneOf: many(100_000, (index) => ({ const: index })) } }) }),
      '50000 schemas',
    ],
    [
      '1,001 patterns',
      modelDocument(id, { input: object(members(1_001, (index) => ({ ...text, pattern: `^a{0,900}b${index}$` }))) }),
      '1000 patterns',
    ],
    [
      '400 levels',
      modelDocument(id, { input: object({ a: JSON.parse(`${'{"items":'.repeat(400)}{}${'}'.repeat(400)}`) }) }),
      '300 levels',
    ],
    [
      '400,000 values',
      modelDocument(id, { input: object({ a: { type: 'array', default: many(400_000, () => 1) } }) }),
      '300000 values',
    ],
  ])('leaves out only the document with %s, and names the bound', async (_, document, bound) => {
    const { models, diagnostics } = await run(document);
    expect(models).toMatchObject({ generated: 1, failed: 1 });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ code: expect.stringMatching(/^document-too-(?:large|deep)$/), model: id }]);
    expect(errors[0]?.message).toContain(bound);
  });
});

describe('a document within the bounds is generated', { timeout: 60_000 }, () => {
  test.each<[string, object]>([
    ['10,000 properties', modelDocument(id, { input: object(members(10_000, () => text)) })],
    [
      '400 patterns for the names of 5,000 properties',
      modelDocument(id, {
        input: object(
          members(5_000, () => text),
          {
            patternProperties: Object.fromEntries(many(400, (index) => [`^p${index}`, text])),
          },
        ),
      }),
    ],
    [
      '100,000 values of an enum',
      modelDocument(id, { input: object({ a: { enum: many(100_000, (at) => `v${at}`) } }) }),
    ],
    ['50,000 paths', withPaths(Object.fromEntries(many(50_000, (index) => [`/a/${index}`, { get: {} }])))],
    [
      '5,000 paths that refer to one another',
      withPaths(Object.fromEntries(many(5_000, (index) => [`/a/${index}`, { $ref: `#/paths/~1a~1${index + 1}` }]))),
    ],
    [
      'a description of 4 MB',
      modelDocument(id, { input: object({ a: { ...text, description: 'x*/'.repeat(1_300_000) } }) }),
    ],
    ['an example of 8 MB', modelDocument(id, { input: object({ a: { ...text, example: 'x'.repeat(8_000_000) } }) })],
    ['a name of 4 MB', modelDocument(id, { input: object({ ['x'.repeat(4_000_000)]: text }) })],
  ])('generates a document with %s', async (_, document) => {
    const { models, diagnostics } = await run(document);
    expect(models).toMatchObject({ generated: 2, failed: 0 });
    expect(diagnostics).toEqual([]);
  });
});

test('counts thousands of findings below long names and shortens those that it shows', {
  timeout: 60_000,
}, async () => {
  const input = object({ ['n'.repeat(1_000_000)]: object(members(5_000, () => 7)) });
  const { models, diagnostics } = await run(modelDocument(id, { input }));
  expect(models).toMatchObject({ generated: 2, failed: 0 });
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.find(({ code }) => code === 'diagnostics-omitted')?.message).toContain('4900 more');
  expect(Math.max(...diagnostics.map((one) => JSON.stringify(one).length))).toBeLessThan(3_000);
});
