import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fakeIo } from '../tests/fake-io.ts';
import { loadConfig } from './load-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-config-'));
const io = fakeIo({ workingFolder: folder });
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [
    'a package that is not installed there',
    `import { defineConfig } from 'openapi-switchyard';`,
    {},
    'install it there',
  ],
  [
    'a job id that is no part of a path',
    '',
    { jobs: { save: 'night build/7' } },
    '/conform/jobs/save must match pattern',
  ],
  [
    'headers at another place than http',
    '',
    { live: { headers: {} } },
    '/conform/live has no setting "headers"; it has scheme, ',
  ],
  [
    'a misspelt setting of a model',
    '',
    { live: { models: [{ id: 'a/b', input: {}, inptu: {} }] } },
    '/conform/live/models/0 has no setting "inptu"; it has id, input, ',
  ],
])('refuses a configuration with %s', async (name, before, conform, want) => {
  const file = join(folder, `${name.replaceAll(/\W/g, '-')}.mjs`);
  writeFileSync(file, `${before}\nexport default ${JSON.stringify({ conform })};`);
  await expect(loadConfig({ config: file }, io)).rejects.toThrow(want);
});

test('takes a job id as it stands in a path', async () => {
  const file = join(folder, 'encoded.mjs');
  const config = { conform: { jobs: { save: 'night%20build%2F7' } } };
  writeFileSync(file, `export default ${JSON.stringify(config)};`);
  expect(await loadConfig({ config: file }, io)).toMatchObject({ config, folder });
});

// In a process of its own: the test runner would load the file in its own way.
test('says how to name a configuration in a package of CommonJS', () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(folder, 'switchyard.config.ts'), 'export default {};');
  const entry = join(import.meta.dirname, '..', 'switchyard.ts');
  const { status, stderr } = spawnSync(process.execPath, [entry, 'generate'], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toContain('end its name with .mts or .mjs, or set "type": "module" in package.json');
  expect(status).toBe(2);
});
