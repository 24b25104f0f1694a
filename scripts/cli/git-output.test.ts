import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type CommandResult, folderForFile, folderForTest, runCommand } from '../tests/run-command.ts';
import { resolveConfig } from './load-settings.ts';
import { resolveVersion } from './output-layout.ts';
import type { SwitchyardConfig } from './settings.ts';

const root = folderForFile();
const gitIn = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...words], { cwd, encoding: 'utf8' });
const git = (...words: string[]): string => gitIn(root, ...words);

const digestText = (text: string): string => `sha256:${hash('sha256', text)}`;

/** Files of an output with one model, whose input has these properties. */
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

const diff = (...words: string[]): Promise<CommandResult> => runCommand(['diff', ...words], join(root, 'a folder'));

test('diff --base compares an output with a git revision, and suggests the next version', async () => {
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
])('diff --base rejects the revision $base in one line', async ({ base, says }) => {
  const result = await diff('packages', `--base=${base}`);
  expect(result).toMatchObject({ code: 2, err: expect.stringMatching(says) });
  expect(result.err.trim().split('\n')).toHaveLength(1);
});

test('diff --base rejects a folder outside of any repository', async () => {
  expect(await diff(folderForTest(), '--base', 'main')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/not in a readable git repository/),
  });
});

test('the last release is the newest tag, or else the current commit', async () => {
  const version = (generate: SwitchyardConfig['generate'], packageVersion?: string) => {
    const folder = join(root, 'a folder');
    const flags = { out: 'packages', ...(packageVersion && { packageVersion }) };
    const file = { written: { generate }, folder };
    return resolveVersion({ ...file, config: resolveConfig(flags, file, { env: {}, workingFolder: folder }) });
  };
  for (const settings of [{}, { releaseTags: 'packages-v*' }])
    expect(await version(settings, 'auto')).toMatchObject({ kind: 'raised', base: { lock: { format: 1 } } });
  expect(await version({ releaseTags: 'none-*' }, 'auto')).toEqual({ kind: 'raised', base: undefined });
  expect(await version({ version: '1.2.3' })).toEqual({ kind: 'fixed', version: '1.2.3' });
  expect(await version({})).toEqual({ kind: 'kept' });
});
