import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { readPackageVersion } from '../../specs/src/index.ts';
import { type CommandResult, folderForFile, runCommand, serveForTest } from '../tests/run-command.ts';
import { serveSandbox } from '../tests/with-sandbox.ts';

const folder = folderForFile();
const out = join(folder, 'packages');
const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };
let sandboxUrl = '';
beforeAll(async () => {
  const sandbox = await serveSandbox();
  sandboxUrl = sandbox.url;
  return sandbox.close;
});

const generateFrom = (url: string, more: readonly string[] = []): Promise<CommandResult> =>
  runCommand(['generate', '--router-url', url, '--scope', '@acme', '--out', out, ...more], folder, env);

/** Runs a command without a credential. */
const run = (argv: readonly string[]): Promise<CommandResult> => runCommand(argv, folder);

function readFolder(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile());
  return Object.fromEntries(files.map((file) => [file, `${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`]));
}

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-service-request-id': 'a-request-id' })
    .end(JSON.stringify(body));
};
const entry = {
  id: 'image-provider/some-model',
  provider: 'image-provider',
  model: 'some-model',
  billing: { charges_on_policy_rejection: 'no' },
};

describe('from a sandbox', () => {
  test('generate sends conditional requests on a second run and writes no file if nothing changed', async () => {
    const first = await generateFrom(sandboxUrl, ['--json']);
    expect(first).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(out, 'models/package.json'), 'utf8'))).toMatchObject({
      version: readPackageVersion(),
    });
    const before = readFolder(join(folder, 'packages'));
    const second = await generateFrom(sandboxUrl, ['--json']);
    const report = JSON.parse(second.out);
    expect(second.code).toBe(0);
    expect(report.requests).toMatchObject({
      asked: report.models.listed,
      notModified: report.models.listed,
      fetched: 0,
    });
    expect(report.files).toMatchObject({ created: 0, replaced: 0, removed: 0 });
    expect(readFolder(join(folder, 'packages'))).toEqual(before);
  });

  test('generate --check writes nothing, and exits with 1 if a file would change', async () => {
    const empty = join(folder, 'empty');
    const result = await generateFrom(sandboxUrl, ['--check', '--out', empty]);
    expect(result.code).toBe(1);
    expect(() => readdirSync(empty)).toThrow();
  });

  test('generate --check lists the differences, and the command that applies them', async () => {
    const drifted = join(folder, 'drifted');
    const flags = ['--out', drifted, '--only', 'audio-provider/*'];
    await generateFrom(sandboxUrl, flags);
    const [model] = Object.keys(JSON.parse(readFileSync(join(drifted, 'switchyard.lock.json'), 'utf8')).models);
    rmSync(join(drifted, 'models', `${model}.js`));
    const checked = await generateFrom(sandboxUrl, [...flags, '--check', '--json']);
    const { differences, mend } = JSON.parse(checked.out);
    expect([checked.code, differences.models]).toEqual([1, [model]]);
    expect(mend).toBe(
      `npx openapi-switchyard generate --router-url ${sandboxUrl} --scope @acme --out ${drifted} --only 'audio-provider/*'`,
    );
    const ended = await generateFrom(sandboxUrl, [...flags, '--check']);
    expect(ended.out.trimEnd().split('\n').slice(-3)).toEqual([
      expect.stringMatching(/^\d+ of \d+ models generated$/),
      `output: ${drifted}`,
      `next: ${mend}`,
    ]);
    expect(JSON.parse((await run(['verify', drifted, '--json'])).out).differences).toEqual(differences);
    const { code, out: text } = await run(['verify', drifted]);
    expect(code).toBe(1);
    expect(text).toContain(`models that differ (1)\n  ${model}\n`);
    expect(text).toContain(`models/${model}.js  missing`);
    expect(text).toMatch(/to fix: npx openapi-switchyard generate --out .*\n.*not tampering/);
  });

  test('generate --only only generates the models that match', async () => {
    const some = join(folder, 'some');
    const { out: text } = await generateFrom(sandboxUrl, ['--json', '--out', some, '--only', 'audio-provider/*']);
    expect(JSON.parse(text).models.generated).toBeGreaterThan(0);
    expect(readdirSync(join(some, 'models')).filter((name) => name.endsWith('-provider'))).toEqual(['audio-provider']);
  });

  test('generate uses the configured package names', async () => {
    const named = join(folder, 'named');
    const config = join(folder, 'named.config.mjs');
    const readName = (name: string): string => JSON.parse(readFileSync(join(named, name, 'package.json'), 'utf8')).name;
    writeFileSync(config, "export default { generate: { scope: '@acme' } };");
    const flags = ['--config', config, '--out', named, '--only', 'audio-provider/*'];
    expect(await generateFrom(sandboxUrl, flags)).toMatchObject({ code: 0 });
    expect(['model-router', 'workflow-execution', 'models'].map(readName)).toEqual([
      '@acme/model-router',
      '@acme/workflow-execution',
      '@acme/models',
    ]);
  });
});

test('generate --frozen --offline generates the models of the lockfile from the cache', async () => {
  const lasting = join(folder, 'lasting');
  expect(await generateFrom(sandboxUrl, ['--out', lasting])).toMatchObject({ code: 0 });
  const before = readFolder(lasting);
  rmSync(join(lasting, 'models', 'README.md'));
  expect(await generateFrom(sandboxUrl, ['--out', lasting, '--frozen', '--offline'])).toMatchObject({ code: 0 });
  expect(Object.keys(readFolder(lasting))).toEqual(Object.keys(before));
  // No credential is needed, even if the documents have to be read again.
  rmSync(join(lasting, 'models'), { recursive: true });
  const sealed = ['--router-url', sandboxUrl, '--scope', '@acme', '--out', lasting, '--frozen', '--offline'];
  expect(await run(['generate', ...sealed])).toMatchObject({ code: 0 });
  expect(Object.keys(readFolder(lasting))).toEqual(Object.keys(before));
  expect(await run(['generate', ...sealed, '--check'])).toMatchObject({ code: 0 });
  expect(await run(['generate', ...sealed.slice(0, -1)])).toMatchObject({ code: 2 });
  const elsewhere = await generateFrom('http://127.0.0.1:9', ['--out', join(folder, 'never'), '--offline']);
  expect(elsewhere).toMatchObject({ code: 3, err: expect.stringMatching(/--offline/) });
});

describe('reports a bad source in one line and keeps earlier output', () => {
  const table: readonly {
    name: string;
    answer: RequestListener;
    says: RegExp;
  }[] = [
    {
      name: 'HTML instead of JSON',
      answer: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
      says: /text\/html/,
    },
    {
      name: 'truncated JSON',
      answer: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": [{"id"'),
      says: /JSON/,
    },
    {
      name: 'a rejected credential',
      answer: (_, response) => json(response, { detail: 'no', error_type: 'unauthorized' }, 401),
      says: /^switchyard: the catalog of http:\S+ cannot be read: status 401, error type unauthorized, media type \S+ \(request id a-request-id\)\. The credential is missing or was rejected: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN to a valid one\.$/,
    },
    {
      name: 'an empty catalog',
      answer: (_, response) => json(response, { data: [], has_more: false, limit: 100 }),
      says: /no models.*--allow-empty/,
    },
    {
      name: 'a cursor loop',
      answer: (_, response) => json(response, { data: [entry], has_more: true, next_cursor: 'again', limit: 100 }),
      says: /cursor/,
    },
    {
      name: 'more pages without a cursor',
      answer: (_, response) => json(response, { data: [entry], has_more: true, limit: 100 }),
      says: /next_cursor/,
    },
    {
      name: 'a wrong base path',
      answer: (_, response) => response.writeHead(404).end(),
      says: /^switchyard: the catalog .*: status 404, .*\. Check that this is the base URL of a Model Router/,
    },
  ];
  test.each(table)('generate reports $name in one line and keeps earlier output', async ({ answer, says }) => {
    await generateFrom(sandboxUrl);
    const before = readFolder(out);
    const result = await generateFrom(await serveForTest(answer));
    expect(result.code).toBe(3);
    expect(result.err.trim().split('\n').at(-1)).toMatch(says);
    expect(readFolder(out)).toEqual(before);
  });

  test('generate reports an unreachable server', async () => {
    const url = 'http://127.0.0.1:9';
    const result = await generateFrom(url);
    const { host } = new URL(url);
    const help =
      'Check the address, and that the router is running there; npx openapi-switchyard doctor checks the proxy too.';
    expect(result).toMatchObject({
      code: 3,
      err: `switchyard: the catalog of ${url} cannot be read: no connection (connect ECONNREFUSED ${host}). ${help}\n`,
    });
  });

  test('generate reports an unknown host name', async () => {
    const { code, err } = await generateFrom('https://router.invalid');
    expect(code).toBe(3);
    expect(err).toMatch(
      /^switchyard: the catalog of \S+ cannot be read: no connection \(getaddrinfo \S+ router\.invalid\)\. Check/,
    );
  });

  test('verify suggests the command that generates a missing output', async () => {
    expect(await run(['verify', 'not yet'])).toEqual({
      code: 3,
      out: '',
      err: `switchyard: ${join(folder, 'not yet')} contains no generated output: it has no switchyard.lock.json. Run npx openapi-switchyard generate --out 'not yet', and commit the lockfile together with the files.\n`,
    });
  });

  test('verify suggests the parent folder if that contains the lockfile', async () => {
    mkdirSync(join(folder, 'whole', 'models'), { recursive: true });
    writeFileSync(join(folder, 'whole', 'switchyard.lock.json'), '{}');
    const { code, err } = await run(['verify', 'whole/models']);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(`there is one in ${join(folder, 'whole')}. Use that folder.`),
    ]);
  });

  test("generate reports an output folder that isn't writable", async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, 'kept');
    const result = await generateFrom(sandboxUrl, ['--out', join(file, 'packages')]);
    expect(result).toMatchObject({ code: 3, err: expect.stringMatching(/a-file/) });
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  test('generate only omits the model whose document is not OpenAPI, and exits with 1 if --strict is set', async () => {
    const answer: RequestListener = (request, response) => {
      if (request.url?.startsWith('/v2/models?'))
        json(response, {
          data: [entry, { ...entry, id: 'image-provider/other', model: 'other' }],
          has_more: false,
          limit: 100,
        });
      else if (request.url?.includes('/other/')) json(response, { swagger: 'not OpenAPI 3' });
      else
        json(response, {
          openapi: '3.0.3',
          info: { title: 't', version: '1' },
          paths: {
            '/v2/models/image-provider/some-model': {
              post: {
                requestBody: {
                  content: {
                    'application/json': {
                      schema: { type: 'object', required: ['prompt'], properties: { prompt: { type: 'string' } } },
                    },
                  },
                },
                responses: {
                  200: { description: 'done', content: { 'application/json': { schema: { type: 'object' } } } },
                },
              },
            },
          },
        });
    };
    const dir = join(folder, 'mixed');
    mkdirSync(dir);
    const url = await serveForTest(answer);
    const loose = await generateFrom(url, ['--out', dir, '--json']);
    expect(loose.code).toBe(0);
    const report = JSON.parse(loose.out);
    expect(report.models).toMatchObject({ listed: 2, generated: 1, failed: 1 });
    expect(report.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', model: 'image-provider/other' }),
    );
    expect((await generateFrom(url, ['--out', dir, '--strict'])).code).toBe(1);
  });
});
