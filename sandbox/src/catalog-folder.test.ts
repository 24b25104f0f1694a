import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestSandbox } from '../tests/test-sandbox.ts';
import { readCatalogFolder } from './catalog-folder.ts';
import { SandboxError } from './errors.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
const createEntry = (id: string, more: object = {}) => {
  const [provider, model] = id.split('/');
  return { id, provider, model, billing: { charges_on_policy_rejection: 'partly' }, ...more };
};

test('readCatalogFolder() returns the models with the bytes of their documents, and one line for each invalid model', async () => {
  const entries = [
    createEntry('p/good-1.0'),
    createEntry('p/missing'),
    createEntry('p/broken'),
    createEntry('p/good-1.0'),
    createEntry('p/UPPER'),
    createEntry('p/..'),
    createEntry('p/x', { id: 'q/x' }),
    createEntry('p/y', { billing: {} }),
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

test('readCatalogFolder() skips a schema document that is not a regular file, without reading it', async () => {
  await write('catalog.json', JSON.stringify([createEntry('p/endless'), createEntry('p/good')]));
  await write('models/p/good/openapi.json', '{}');
  await mkdir(join(folder, 'models/p/endless'));
  await symlink('/dev/zero', join(folder, 'models/p/endless/openapi.json'));
  const { models, problems } = await readCatalogFolder(folder);
  expect([models.map(({ id }) => id), problems]).toEqual([['p/good'], [expect.stringContaining('p/endless')]]);
});

test.each([
  ['no catalog file', undefined],
  ['invalid JSON', '[{'],
  ['a catalog that is not an array', '{"data":[]}'],
])('readCatalogFolder() throws for a folder with %s', async (_, text) => {
  if (text !== undefined) await write('catalog.json', text);
  await expect(readCatalogFolder(folder)).rejects.toThrow(SandboxError);
});

test('readCatalogFolder() reports a model for which no valid output can be generated, and its runs return 502', async () => {
  const content = { 'application/json': { schema: { type: 'string', minLength: 2, maxLength: 1 } } };
  const post = { responses: { 200: { description: '', content } } };
  await write('catalog.json', JSON.stringify([createEntry('p/m')]));
  await write('models/p/m/openapi.json', JSON.stringify({ openapi: '3.0.4', paths: { '/v2/models/p/m': { post } } }));
  const { models, problems } = await readCatalogFolder(folder);
  const reason = expect.stringContaining('p/m: could not generate a valid value');
  expect(problems).toEqual([reason]);
  const reply = await createTestSandbox({ catalog: models }).call('POST', '/v2/models/p/m', { json: {} });
  expect([reply.status, reply.json]).toEqual([502, { error_type: 'provider_error', detail: reason }]);
});
