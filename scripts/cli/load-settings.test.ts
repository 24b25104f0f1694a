import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo } from '../tests/fake-io.ts';
import { folderForFile } from '../tests/run-command.ts';
import { loadConfig, resolveConfig } from './load-settings.ts';

const folder = folderForFile();
const io = fakeIo({ workingFolder: folder });
const working = { env: {}, workingFolder: '/working' };

test.each([
  [
    'an import of a package that is not installed',
    `import { defineConfig } from 'openapi-switchyard';`,
    {},
    'install it there',
  ],
  [
    'a job id that is not percent-encoded',
    '',
    { jobs: { save: 'night build/7' } },
    '/conform/jobs/save must be a job id, percent-encoded as in a path',
  ],
  [
    'headers in a group other than http',
    '',
    { live: { headers: {} } },
    '/conform/live has no setting "headers"; it has budget, ',
  ],
  [
    'a secret instead of its source',
    '',
    { hooks: { url: 'https://a.example', credential: 'sk' } },
    'a configuration must not contain secrets',
  ],
  ['one model in place of a list', '', { live: { models: {} } }, '/conform/live/models must be an array'],
  [
    'a misspelt setting of a model',
    '',
    { live: { models: [{ id: 'a/b', input: {}, inptu: {} }] } },
    '/conform/live/models/0 has no setting "inptu"; it has id, input, ',
  ],
])('rejects a configuration with %s', async (name, before, conform, want) => {
  const file = join(folder, `${name.replaceAll(/\W/g, '-')}.mjs`);
  writeFileSync(file, `${before}\nexport default ${JSON.stringify({ conform })};`);
  await expect(loadConfig({ config: file }, io)).rejects.toThrow(want);
});

test('accepts a percent-encoded job id', async () => {
  const file = join(folder, 'encoded.mjs');
  const config = { conform: { jobs: { save: 'night%20build%2F7' } } };
  writeFileSync(file, `export default ${JSON.stringify(config)};`);
  expect(await loadConfig({ config: file }, io)).toMatchObject({ written: config, config, folder });
});

test('resolves paths in flags against the working folder, and all other paths against the folder of the configuration', () => {
  const file = { written: { conform: { waivers: 'file' } }, folder: '/project' };
  const { generate, conform } = resolveConfig({ out: 'flag' }, file, working);
  expect([generate.out, conform.waivers, generate.cache]).toEqual([
    '/working/flag',
    '/project/file',
    '/project/.switchyard/cache',
  ]);
});

test.each([
  { variables: { SWITCHYARD_ROUTER_URL: 'https://variable.example/' }, want: 'https://variable.example' },
  { variables: { SWITCHYARD_ROUTER_URL: '' }, want: 'https://file.example' },
])('uses the environment variables $variables before the file, unless they are empty', ({ variables, want }) => {
  const file = { written: { routerUrl: 'https://file.example' }, folder: '/' };
  expect(resolveConfig({}, file, { ...working, env: variables }).routerUrl).toBe(want);
});

test('parses the two queue statuses from a comma-separated string', () => {
  const { queueStatuses } = resolveConfig({ queueStatuses: 'WAITING, RUNNING' }, { written: {}, folder: '/' }, working);
  expect(queueStatuses).toEqual(['WAITING', 'RUNNING']);
});

test('reports which setting or flag has an invalid value', () => {
  const file = { written: {}, folder: '/' };
  expect(() => resolveConfig({ deadline: '48h' }, file, working)).toThrow(
    '--deadline must be a duration from 100ms to 24h, such as 500ms, 90s, 10m or 1h, got "48h"',
  );
  expect(() => resolveConfig({}, file, { ...working, env: { SWITCHYARD_ROUTER_URL: 'https://a@b.example' } })).toThrow(
    'SWITCHYARD_ROUTER_URL must not contain credentials',
  );
  expect(() => resolveConfig({}, { ...file, written: { workflowUrl: 'ftp://file.example' } }, working)).toThrow(
    '/workflowUrl must be an http or https URL',
  );
});

// Runs in a separate process, because the test runner has its own way of loading files.
test('suggests the file extensions for a configuration in a CommonJS package', () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(folder, 'switchyard.config.ts'), 'export default {};');
  const entry = join(import.meta.dirname, '..', 'switchyard.ts');
  const { status, stderr } = spawnSync(process.execPath, [entry, 'generate'], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toContain('end its name with .mts or .mjs, or set "type": "module" in package.json');
  expect(status).toBe(2);
});
