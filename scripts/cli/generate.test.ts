import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
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
describe('from a sandbox', () => {
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
    expect(ended.out.trimEnd().split('\n').slice(-4)).toEqual([
      `to fix: ${mend}`,
      '',
      expect.stringMatching(/^\d+ of \d+ models generated$/),
      `output: ${drifted}`,
    ]);
    expect(JSON.parse((await run(['verify', drifted, '--json'])).out).differences).toEqual(differences);
    const { code, out: text } = await run(['verify', drifted]);
    expect(code).toBe(1);
    expect(text).toContain(`models that differ (1)\n  ${model}\n`);
    expect(text).toContain(`models/${model}.js  missing`);
    expect(text).toMatch(/to fix: npx openapi-switchyard generate --out .*\n.*not tampering/);
  });
});

test('generate --frozen --offline generates the models of the lockfile from the cache', async () => {
  const lasting = join(folder, 'lasting');
  expect(await generateFrom(sandboxUrl, ['--out', lasting])).toMatchObject({ code: 0 });
  const manifest = JSON.parse(readFileSync(join(lasting, 'models/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: readPackageVersion() });
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
      name: 'a rejected credential',
      answer: (_, response) => json(response, { detail: 'no', error_type: 'unauthorized' }, 401),
      says: /^switchyard: the catalog of http:\S+ cannot be read: status 401, error type unauthorized, media type \S+ \(request id a-request-id\)\. The credential is missing or was rejected\. Set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN to a valid one\./,
    },
    {
      name: 'an empty catalog',
      answer: (_, response) => json(response, { data: [], has_more: false, limit: 100 }),
      says: /no models.*--allow-empty/,
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

  test('verify suggests the command that generates a missing output', async () => {
    expect(await run(['verify', 'not yet'])).toEqual({
      code: 3,
      out: '',
      err: `switchyard: ${join(folder, 'not yet')} contains no generated output: it has no switchyard.lock.json. Run npx openapi-switchyard generate --out 'not yet', and commit the lockfile together with the files.\n`,
    });
  });
});
