import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCatalogFolder } from './catalog-folder.ts';
import { SandboxError } from './errors.ts';
import { createSandbox } from './sandbox.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
const entry = (id: string, more: object = {}) => {
  const [provider, model] = id.split('/');
  return { id, provider, model, billing: { charges_on_policy_rejection: 'partly' }, ...more };
};

test('reads models with the bytes of their documents, and reports each invalid one in one line', async () => {
  const entries = [
    entry('p/good-1.0'),
    entry('p/missing'),
    entry('p/broken'),
    entry('p/good-1.0'),
    entry('p/UPPER'),
    entry('p/..'),
    entry('p/x', { id: 'q/x' }),
    entry('p/y', { billing: {} }),
    'text',
  ];
  await write('catalog.json', JSON.stringify(entries));
  await write('models/p/good-1.0/openapi.json', ' {"openapi":"3.0.4"}\n');
  await write('models/p/broken/openapi.json', '{"openapi":');
  const { models, problems } = await readCatalogFolder(folder);
  expect(models.map(({ id, billing }) => [id, billing])).toEqual([
    ['p/good-1.0', 'partly'],
    ['p/broken', 'partly'],
  ]);
  expect(new TextDecoder().decode(models[0]?.bytes)).toBe(' {"openapi":"3.0.4"}\n');
  expect(problems).toHaveLength(8);
  expect(problems.join('\n')).toMatch(
    /p\/missing is left out[\s\S]*p\/broken is served unchanged[\s\S]*listed twice[\s\S]*entry 4[\s\S]*entry 8/,
  );
});

test('skips a document that is not a regular file, without reading it', async () => {
  await write('catalog.json', JSON.stringify([entry('p/endless'), entry('p/good')]));
  await write('models/p/good/openapi.json', '{}');
  await mkdir(join(folder, 'models/p/endless'));
  await symlink('/dev/zero', join(folder, 'models/p/endless/openapi.json'));
  const { models, problems } = await readCatalogFolder(folder);
  expect([models.map(({ id }) => id), problems]).toEqual([['p/good'], [expect.stringContaining('p/endless')]]);
});

test.each([
  ['no catalog file', undefined],
  ['no JSON', '[{'],
  ['a catalog that is not an array', '{"data":[]}'],
])('throws for a catalog folder with %s', async (_, text) => {
  if (text !== undefined) await write('catalog.json', text);
  await expect(readCatalogFolder(folder)).rejects.toThrow(SandboxError);
});

const describeModel = (id: string, input: object, output: object): string =>
  JSON.stringify({
    openapi: '3.0.4',
    'x-service-input-schema-authored': true,
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          requestBody: { content: { 'application/json': { schema: input } } },
          responses: { 200: { description: '', content: { 'application/json': { schema: output } } } },
        },
      },
    },
  });
const anyObject = { type: 'object' };

test.each<{ name: string; input?: object; output?: object; sent?: object; status: number; answer: unknown }>([
  {
    name: 'an output with a pattern',
    output: { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^job\\-[0-9]{5}$' } } },
    status: 200,
    answer: { id: expect.stringMatching(/^job-[0-9]{5}$/) },
  },
  {
    name: 'an enumeration that allOf narrows',
    output: { allOf: [{ type: 'string', enum: ['queued', 'running', 'done'] }, { enum: ['done'] }] },
    status: 200,
    answer: 'done',
  },
  {
    name: 'an output that no value satisfies',
    output: { type: 'string', enum: [1, 2] },
    status: 502,
    answer: { error_type: 'provider_error', detail: expect.stringContaining('p/m: could not generate a valid value') },
  },
  {
    name: 'an input whose pattern has an unnecessary escape',
    input: { type: 'object', required: ['tag'], properties: { tag: { type: 'string', pattern: '^\\w+\\-\\w+$' } } },
    sent: {},
    status: 422,
    answer: expect.anything(),
  },
  {
    name: 'an input whose pattern is for a different regex engine',
    input: { type: 'object', required: ['tag'], properties: { tag: { type: 'string', pattern: '\\A[a-z]{3}\\Z' } } },
    sent: { tag: 'abc' },
    status: 200,
    answer: expect.anything(),
  },
  {
    name: 'an input that must not match a pattern for a different regex engine',
    input: { type: 'object', properties: { tag: { not: { pattern: '\\Abad' } } } },
    sent: { tag: 'good' },
    status: 200,
    answer: expect.anything(),
  },
])(
  'a model replies as its document describes: $name',
  async ({ input = anyObject, output = anyObject, sent = {}, status, answer }) => {
    await write('catalog.json', JSON.stringify([entry('p/m')]));
    await write('models/p/m/openapi.json', describeModel('p/m', input, output));
    const { models, problems } = await readCatalogFolder(folder);
    const sandbox = createSandbox({ catalog: models, clock: 'manual' });
    const running = sandbox.fetch('http://sandbox.test/v2/models/p/m', {
      method: 'POST',
      headers: { 'X-API-Key': sandbox.credentials.router.main, 'Content-Type': 'application/json' },
      body: JSON.stringify(sent),
    });
    sandbox.clock.advance('1m');
    const response = await running;
    expect([response.status, await response.json()]).toEqual([status, answer]);
    expect(problems).toEqual(status === 502 ? [expect.stringContaining('p/m: could not generate a valid value')] : []);
    sandbox.close();
  },
);

test('only tries the sample outputs of a thousand models', async () => {
  const ids = Array.from({ length: 1_002 }, (_, index) => `p/m${index}`);
  await write('catalog.json', JSON.stringify(ids.map((id) => entry(id))));
  for (const id of ids) await write(`models/${id}/openapi.json`, '{}');
  const { models, problems } = await readCatalogFolder(folder);
  expect([models.length, problems]).toEqual([1_002, [expect.stringContaining('not those of 2 more')]]);
});
