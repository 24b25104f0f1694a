import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../tests/run-command.ts';
import type { GenerateFlags } from './commands.ts';
import { resolveConfig } from './load-settings.ts';
import { chooseOutputLayout } from './output-layout.ts';
import type { SwitchyardConfig } from './settings.ts';

let root = '';
beforeEach(() => {
  root = folderForTest();
  mkdirSync(join(root, 'app'));
});

type Situation = {
  name: string;
  /** Files with their contents. */
  given?: Record<string, unknown>;
  flags?: GenerateFlags;
  settings?: SwitchyardConfig['generate'];
  /** The name of the package of the models; undefined for plain files. */
  models: string | undefined;
};

const manifests = {
  'app/out/model-router/package.json': { name: '@kept/model-router' },
  'app/out/workflow-execution/package.json': { name: '@kept/workflow-execution' },
  'app/out/models/package.json': { name: '@kept/models' },
};

function makeLock(paths: readonly string[]): unknown {
  const digest = `sha256:${'0'.repeat(64)}`;
  const files = Object.fromEntries(paths.map((path) => [path.replace('app/out/', ''), digest]));
  return { format: 1, generator: '0.1.0', packages: { models: { source: digest, files } }, models: {} };
}

const packages = { ...manifests, 'app/out/switchyard.lock.json': makeLock(Object.keys(manifests)) };
const plain = { 'app/out/switchyard.lock.json': makeLock(['app/out/models/all.js']) };

const table: readonly Situation[] = [
  { name: 'a flag', given: packages, flags: { scope: '@flag' }, settings: { scope: '@set' }, models: '@flag/models' },
  { name: 'a setting', given: packages, settings: { scope: '@set' }, models: '@set/models' },
  {
    name: 'the scope of an earlier output',
    given: { ...packages, 'app/package.json': { name: '@near/app' } },
    models: '@kept/models',
  },
  {
    name: 'an earlier output of plain files',
    given: { ...plain, 'app/package.json': { name: '@near/app' } },
    models: undefined,
  },
  { name: 'the nearest manifest', given: { 'app/package.json': { name: '@near/app' } }, models: '@near/models' },
  { name: 'nothing', models: undefined },
  { name: 'the layout', given: packages, flags: { layout: 'folder' }, models: undefined },
];

function arrange({ flags = {}, settings = {} }: Partial<Situation>): ReturnType<typeof chooseOutputLayout> {
  const file = { written: { generate: settings }, folder: join(root, 'app') };
  const config = resolveConfig({ out: 'app/out', ...flags }, file, { env: {}, workingFolder: root });
  return chooseOutputLayout({ ...file, config });
}

function write(files: Record<string, unknown>): void {
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  }
}

test.each(table)('the package names come from $name', async ({ given = {}, models, ...situation }) => {
  write({ 'package.json': { name: 'root' }, ...given });
  const { packageNames, outputLayout } = await arrange(situation);
  expect(outputLayout.layout).toBe(models === undefined ? 'folder' : 'packages');
  if (models !== undefined) expect(packageNames.models).toBe(models);
});

test('routerOnly omits the workflow client, and keeps its package name for later', async () => {
  const { 'app/out/workflow-execution/package.json': _, ...rest } = manifests;
  write({ 'package.json': { name: 'root' }, ...rest, 'app/out/switchyard.lock.json': makeLock(Object.keys(rest)) });
  const { outputLayout, packageNames } = await arrange({ settings: { routerOnly: true } });
  expect(outputLayout).toMatchObject({ layout: 'packages', routerOnly: true });
  expect(packageNames).toMatchObject({ models: '@kept/models', workflowExecution: '@kept/workflow-execution' });
  expect((await arrange({})).outputLayout).not.toHaveProperty('routerOnly');
});

test('rejects packages without a scope', async () => {
  write({ 'package.json': { name: 'root' } });
  await expect(arrange({ flags: { layout: 'packages' } })).rejects.toThrow(/need a scope: add --scope/);
  expect(() => arrange({ settings: { scope: 'acme' } })).toThrow(/npm scope such as @acme/);
});

test('references peers with the workspace protocol if pnpm supports it', async () => {
  write({ 'package.json': { name: '@acme/root' } });
  expect((await arrange({})).outputLayout.peers).toBe('any-version');
  writeFileSync(join(root, 'pnpm-workspace.yaml'), 'packages: [packages/*]\n');
  expect((await arrange({})).outputLayout.peers).toBe('workspace-protocol');
});
