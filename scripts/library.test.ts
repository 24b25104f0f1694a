import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../specs/src/index.ts';
import {
  buildEffectiveSpecs,
  createSandbox,
  type DiffOptions,
  diff,
  type GenerateOptions,
  generate,
  listen,
  readCatalogFolder,
  sandboxCredentials,
  withOutcomeModels,
} from './library.ts';
import { folderForFile, folderForTest } from './tests/run-command.ts';
import { smallDocument } from './tests/small-document.ts';
import { serveSandbox } from './tests/with-sandbox.ts';

const folder = folderForFile();
beforeAll(() => {
  const entry = { id: 'maker/one', provider: 'maker', model: 'one', billing: { charges_on_policy_rejection: 'no' } };
  mkdirSync(join(folder, 'catalog/models/maker/one'), { recursive: true });
  writeFileSync(join(folder, 'catalog/catalog.json'), JSON.stringify([entry]));
  const text = JSON.stringify(smallDocument('maker/one'));
  writeFileSync(join(folder, 'catalog/models/maker/one/openapi.json'), text);
});

test('buildEffectiveSpecs uses defaults for settings that are not given', async () => {
  const { settings, modelRouter } = await buildEffectiveSpecs({ brand: 'Acme' });
  expect(settings).toMatchObject({ brand: 'Acme', queueStatuses: ['IN_QUEUE', 'IN_PROGRESS'], overlays: [] });
  expect(JSON.stringify(modelRouter)).toContain('X-Acme-Request-Id');
  expect(() => buildEffectiveSpecs({ brand: 'not a word' })).toThrow(/brand must consist of/);
});

test('a sandbox and its listener need no options', async () => {
  const sandbox = createSandbox();
  const server = await listen(sandbox);
  try {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { status } = await fetch(`${server.url}/v2/models`, {
      headers: { 'X-API-Key': sandboxCredentials.router.main },
    });
    expect(status).toBe(200);
  } finally {
    await server.close();
    sandbox.close();
  }
});

test('the catalog of a folder can be served with or without the outcome models', async () => {
  const { models, problems } = await readCatalogFolder(join(folder, 'catalog'));
  expect(problems).toEqual([]);
  expect(withOutcomeModels(models).map(({ id }) => id)).toEqual([
    'maker/one',
    'sandbox/outcomes',
    'sandbox-two/outcomes',
  ]);
  const own = models.map((model) => ({ ...model, id: 'sandbox/outcomes' }));
  expect(withOutcomeModels(own).map(({ id }) => id)).toEqual(['sandbox/outcomes', 'sandbox-two/outcomes']);
});

test('generate and diff work like the commands, with their defaults', async () => {
  const { models } = await readCatalogFolder(join(folder, 'catalog'));
  const { sandbox, url, close } = await serveSandbox({ catalog: models });
  const options = {
    folder,
    routerUrl: url,
    apiKey: sandboxCredentials.router.main,
    scope: '@acme',
    typesOnly: true,
  };
  try {
    const report = await generate({ ...options, out: 'packages' });
    expect(report).toMatchObject({ changed: true, models: { failed: 0 } });
    const documents = { 'maker/one': smallDocument('maker/one', { prompt: { type: 'number' } }) };
    await sandbox.fetch(`${url}/__sandbox/catalog/rebuild`, {
      method: 'POST',
      body: JSON.stringify({ documents }),
    });
    const changes = await diff('packages', undefined, options);
    expect(changes.verdict).toBe('breaking');
    await expect(generate({ ...options, apiKey: 'sk-wrong-key-of-nobody', out: 'other' })).rejects.toThrow(/401/);
  } finally {
    await close();
  }
});

test('the programs of docs/how-to/generate-in-a-program.md run', async () => {
  const { models } = await readCatalogFolder(join(folder, 'catalog'));
  const { url, close } = await serveSandbox({ catalog: models });
  const page = readFileSync(join(packageRoot(), 'docs/how-to/generate-in-a-program.md'), 'utf8');
  const programs = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const env = {
    ...process.env,
    SWITCHYARD_API_KEY: sandboxCredentials.router.main,
    SWITCHYARD_ROUTER_URL: url,
  };
  const place = folderForTest();
  try {
    const printed: string[] = [];
    for (const [index, program] of programs.entries()) {
      const file = join(place, `program-${index}.mts`);
      const library = pathToFileURL(join(packageRoot(), 'scripts/library.ts')).href;
      writeFileSync(file, program.replace("'openapi-switchyard'", `'${library}'`));
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: place, env });
      printed.push(stdout);
    }
    expect(printed).toEqual(['1 of 1 models, changed: true\nmatches the lockfile\nnone\n1 pages\n', '']);
  } finally {
    await close();
  }
});

test('each function of the library rejects an unknown option', async () => {
  const options = { folder, cheque: true } as GenerateOptions;
  await expect(generate(options)).rejects.toThrow(
    /generate\(\): the object has no setting "cheque"; it has folder, .*check/,
  );
  await expect(diff('a', 'b', options as DiffOptions)).rejects.toThrow(/has no setting "cheque"/);
});
