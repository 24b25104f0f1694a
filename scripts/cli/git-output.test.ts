import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, listen } from '../../sandbox/src/index.ts';
import { fakeIo } from '../tests/fake-io.ts';
import { resolveVersion } from './arrange-output.ts';
import type { SwitchyardConfig } from './config.ts';
import { findLatestTag } from './git-output.ts';
import { createSettingReader } from './load-settings.ts';
import { runProgram } from './program.ts';

let root = '';
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...words], { cwd: root, encoding: 'utf8' });

const digestText = (text: string): string => `sha256:${hash('sha256', text)}`;

/** An output of one model whose input has these properties. */
function writeOutput(properties: readonly string[], version: string): void {
  const input = {
    type: 'object',
    properties: Object.fromEntries(properties.map((name) => [name, { type: 'string' }])),
  };
  const files: Record<string, string> = {
    'models/package.json': JSON.stringify({ name: '@acme/models', version }),
    'models/p/m.d.ts': 'export type Input = object;\n',
    'models/p/m.schema.json': JSON.stringify({ id: 'p/m', input, inputAuthored: true }),
  };
  const digests = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, digestText(text)]));
  const { 'models/package.json': manifest, ...own } = digests;
  const document = digestText(JSON.stringify(properties));
  const lock = {
    format: 1,
    generator: '0.1.0',
    packages: { models: { source: document, files: { 'models/package.json': manifest } } },
    models: { 'p/m': { entityTag: null, document, chargesOnPolicyRejection: 'no', inputs: document, files: own } },
  };
  for (const [path, text] of Object.entries({ ...files, 'switchyard.lock.json': JSON.stringify(lock) })) {
    const file = join(root, 'a folder', 'packages', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'switchyard-git-'));
  git('init', '-q', '-b', 'main');
  writeFileSync(join(root, 'readme'), 'text');
  git('add', '.');
  git('commit', '-qm', 'Begin');
  writeOutput(['prompt', 'size'], '1.2.0');
  git('add', '.');
  git('commit', '-qm', 'Generate');
  git('tag', 'packages-v1.2.0');
  writeOutput(['prompt'], '1.2.0');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function diff(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ workingFolder: join(root, 'a folder') });
  return { code: await runProgram(['diff', ...words], io), ...io.written };
}

test('compares an output with a git revision, and suggests the next version', async () => {
  for (const revision of ['main', 'packages-v1.2.0', 'HEAD', git('rev-parse', 'HEAD').trim()]) {
    const result = await diff('packages', '--base', revision, '--json');
    const report = JSON.parse(result.out);
    expect(result.code).toBe(report.verdict === 'breaking' ? 1 : 0);
    expect(report.models).toMatchObject([{ id: 'p/m', kind: 'changed' }]);
    expect(report.packages[0].versions).toMatchObject({
      before: '1.2.0',
      suggested: expect.not.stringMatching('1.2.0'),
    });
  }
});

test.each([
  { base: 'no-such-branch', says: /no revision "no-such-branch".*git fetch/ },
  { base: '--output=x', says: /no revision/ },
  { base: 'main:readme', says: /no revision/ },
  { base: 'HEAD~1', says: /no readable switchyard\.lock\.json at HEAD~1/ },
])('rejects the revision $base in one line', async ({ base, says }) => {
  const result = await diff('packages', `--base=${base}`);
  expect(result).toMatchObject({ code: 2, err: expect.stringMatching(says) });
  expect(result.err.trim().split('\n')).toHaveLength(1);
});

test('rejects a folder outside of any repository', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-no-git-'));
  expect(await diff(folder, '--base', 'main')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/not in a readable git repository/),
  });
  rmSync(folder, { recursive: true });
});

test('finds the newest tag that matches a pattern', async () => {
  const packages = join(root, 'a folder', 'packages');
  expect(await findLatestTag('packages-v*', packages)).toBe('packages-v1.2.0');
  expect(await findLatestTag('other-v*', packages)).toBeUndefined();
});

test('the newest tag, or else the current commit, counts as the last release', async () => {
  const version = (generate: SwitchyardConfig['generate'], packageVersion?: string) => {
    const folder = join(root, 'a folder');
    const flags = { out: 'packages', ...(packageVersion && { packageVersion }) };
    return resolveVersion({
      get: createSettingReader(
        flags,
        { config: { ...(generate && { generate }) }, folder },
        { env: {}, workingFolder: folder },
      ),
    });
  };
  for (const settings of [{}, { releaseTags: 'packages-v*' }])
    expect(await version(settings, 'auto')).toMatchObject({ kind: 'raised', base: { lock: { format: 1 } } });
  expect(await version({ releaseTags: 'none-*' }, 'auto')).toEqual({ kind: 'raised', base: undefined });
  expect(await version({ version: '1.2.3' })).toEqual({ kind: 'fixed', version: '1.2.3' });
  expect(await version({})).toEqual({ kind: 'kept' });
});

test('generate suggests an install if package.json lists packages that are not installed', async () => {
  const sandbox = createSandbox();
  const server = await listen(sandbox);
  const project = mkdtempSync(join(tmpdir(), 'switchyard-next-'));
  writeFileSync(join(project, 'package.json'), '{"workspaces":["generated/*"]}');
  const next = async (): Promise<string> => {
    const io = fakeIo({ workingFolder: project, env: { SWITCHYARD_API_KEY: sandbox.credentials.router.main } });
    const words = ['--router-url', server.url, '--scope', '@acme', '--types-only', '--only', 'image-provider/restyle'];
    expect(await runProgram(['generate', ...words], io)).toBe(0);
    return io.written.out.trimEnd().split('\n').at(-1) ?? '';
  };
  try {
    expect(await next()).toBe('next: npm install');
    mkdirSync(join(project, 'node_modules/@acme/model-router'), { recursive: true });
    expect(await next()).toBe('next: npx openapi-switchyard verify generated');
  } finally {
    await server.close();
    sandbox.close();
    rmSync(project, { recursive: true, force: true });
  }
});

test('generate suggests a comparison with HEAD only if the output is committed', async () => {
  const sandbox = createSandbox();
  const server = await listen(sandbox);
  const project = mkdtempSync(join(tmpdir(), 'switchyard-next-'));
  const run = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...words], {
      cwd: project,
      encoding: 'utf8',
    });
  const next = async (only: string): Promise<string> => {
    const io = fakeIo({ workingFolder: project, env: { SWITCHYARD_API_KEY: sandbox.credentials.router.main } });
    const words = ['--router-url', server.url, '--scope', '@acme', '--types-only', '--only', only];
    expect(await runProgram(['generate', ...words], io)).toBe(0);
    return io.written.out.trimEnd().split('\n').at(-1) ?? '';
  };
  const verify = 'next: npx openapi-switchyard verify generated';
  try {
    expect(await next('image-provider/still-2.1')).toBe(verify); // no repository
    run('init', '-q');
    expect(await next('image-provider/restyle')).toBe(verify); // no commit
    writeFileSync(join(project, 'readme'), '');
    run('add', 'readme');
    run('commit', '-qm', 'Begin');
    expect(await next('image-provider/*')).toBe(verify); // the output is not committed
    run('add', '.');
    run('commit', '-qm', 'Generate');
    expect(await next('image-provider/*')).toBe(verify); // nothing has changed
    const compare = await next('audio-provider/*');
    expect(compare).toBe('next: npx openapi-switchyard diff generated --base HEAD');
    const io = fakeIo({ workingFolder: project });
    expect(await runProgram(compare.replace('next: npx openapi-switchyard ', '').split(' '), io)).toBe(1);
  } finally {
    await server.close();
    sandbox.close();
    rmSync(project, { recursive: true, force: true });
  }
});
