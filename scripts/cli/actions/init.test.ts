import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../specs/src/index.ts';
import { fakeIo } from '../../tests/fake-io.ts';
import { folderForTest } from '../../tests/run-command.ts';
import { loadConfig } from '../load-settings.ts';
import { runProgram } from '../program.ts';

let root = '';
beforeEach(() => {
  root = folderForTest();
});

function write(files: Record<string, unknown>): void {
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`);
  }
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = (): Record<string, unknown> => JSON.parse(read('package.json'));

async function init(words: readonly string[], answers?: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = { ...fakeIo({ workingFolder: root }), ...(answers && { ask: async () => answers.shift() ?? '' }) };
  return { code: await runProgram(['init', ...words], io), ...io.written };
}
const flags = ['--router-url', 'https://router.example', '--yes'];

const workspaces: readonly { manager: string; files: Record<string, unknown>; lists: () => unknown; ci: string }[] = [
  {
    manager: 'npm',
    files: { 'package.json': { name: '@acme/root', type: 'module', workspaces: ['apps/*'] } },
    lists: () => manifest()['workspaces'],
    ci: 'npm ci',
  },
  {
    manager: 'pnpm',
    files: { 'package.json': { name: '@acme/root', type: 'module' }, 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n' },
    lists: () => parse(read('pnpm-workspace.yaml')).packages,
    ci: 'pnpm install --frozen-lockfile',
  },
  {
    manager: 'yarn',
    files: { 'package.json': { name: '@acme/root', workspaces: { packages: ['apps/*'] } }, 'yarn.lock': '' },
    lists: () => (manifest()['workspaces'] as { packages: unknown }).packages,
    ci: 'yarn install --frozen-lockfile',
  },
  {
    manager: 'bun',
    files: { 'package.json': { name: '@acme/root', workspaces: ['apps/*'], packageManager: 'bun@1.2.0' } },
    lists: () => manifest()['workspaces'],
    ci: 'bun install --frozen-lockfile',
  },
];

test.each(workspaces)('init sets up a $manager workspace', async ({ manager, files, lists, ci }) => {
  write(files);
  const { code, out } = await init([...flags, '--ci', 'github']);
  expect(code).toBe(0);
  expect([...(lists() as string[])].sort()).toEqual(['apps/*', 'generated/*']);
  expect(manifest()).toMatchObject({
    scripts: { 'switchyard:verify': 'openapi-switchyard verify' },
    devDependencies: { 'openapi-switchyard': expect.stringMatching(/^\d/) },
  });
  const { written } = await loadConfig({}, fakeIo({ workingFolder: root }));
  expect(written).toEqual({ routerUrl: 'https://router.example', generate: { out: 'generated', scope: '@acme' } });
  const workflow = parse(read('.github/workflows/switchyard.yml'));
  const runs = workflow.jobs.verify.steps.map((step: { run?: string }) => step.run);
  expect(runs).toContain(ci);
  expect(JSON.stringify(workflow.jobs.verify)).not.toContain('secrets');
  expect(workflow.jobs.drift).toMatchObject({ if: "github.event_name != 'pull_request'" });
  // The CI file must not run conform, which would load custom rules, and a pull request can change those.
  expect(JSON.stringify(workflow)).not.toMatch(/conform|pull_request_target/);
  // Packages must not be installed before they exist.
  const range = manager === 'pnpm' || manager === 'bun' ? 'workspace:*' : '*';
  expect(out).toMatch(/1\. .*npx .* generate\n {2}2\. list .*\n {2}3\. .*install\n$/);
  expect(out).toContain(`"@acme/model-router": "${range}"`);
  expect(read('.gitignore')).toBe('node_modules/\n.switchyard/\n');
  expect(await init([...flags, '--ci', 'github'])).toMatchObject({ code: 0, out: 'nothing to write\n' });
});

test('init sets up plain files in a package without a workspace, and keeps existing files', async () => {
  const text = '{\n\t"name": "app",\n\t"scripts": {\n\t\t"switchyard:check": "mine"\n\t}\n}';
  write({ 'package.json': text, 'src/index.ts': '', '.gitignore': 'node_modules', '.prettierignore': 'dist\n' });
  await init([...flags, '--ci', 'gitlab']);
  expect(read('package.json')).toMatch(/^\{\n\t"name": "app",\n\t"scripts": \{\n\t\t"switchyard:check": "mine",\n/);
  expect(read('package.json').endsWith('}')).toBe(true);
  expect(read('.gitignore')).toBe('node_modules\n.switchyard/\n');
  expect(read('.prettierignore')).toBe('dist\nsrc/generated/\n');
  expect((await loadConfig({}, fakeIo({ workingFolder: root }))).written.generate).toEqual({
    out: 'src/generated',
    layout: 'folder',
  });
  expect(existsSync(join(root, 'switchyard.config.mts'))).toBe(true); // .mts, because a .ts file in a CommonJS package is not an ES module
  expect(parse(read('.gitlab/switchyard.gitlab-ci.yml'))['switchyard-verify'].script).toContain(
    'npx openapi-switchyard verify src/generated',
  );
});

const acme = ['model-router', 'workflow-execution', 'models'].map((name) => `@acme/${name}`);
const linked = Object.fromEntries(acme.map((name) => [name, 'workspace:*']));

test.each([
  { name: 'npm', files: {}, wants: { workspaces: ['generated/*'] }, links: undefined },
  { name: 'pnpm', files: { 'pnpm-lock.yaml': '' }, wants: {}, links: linked },
  { name: 'yarn 1', files: { 'yarn.lock': '# yarn lockfile v1\n' }, wants: { private: true }, links: undefined },
  { name: 'yarn 4', files: { 'yarn.lock': '__metadata:\n  version: 8\n' }, wants: { private: true }, links: linked },
  { name: 'bun', files: { 'bun.lock': '' }, wants: { workspaces: ['generated/*'] }, links: linked },
])('init --scope turns a $name package into a workspace', async ({ name, files, wants, links }) => {
  write({ 'package.json': { name: 'app' }, ...files });
  expect(await init([...flags, '--scope', '@acme'])).toMatchObject({ code: 0 });
  const patterns = name === 'pnpm' ? parse(read('pnpm-workspace.yaml')).packages : manifest()['workspaces'];
  expect(patterns).toEqual(['generated/*']);
  expect(manifest()).toMatchObject(wants);
  expect(manifest()['dependencies']).toEqual(links);
});

test.each(['github', 'gitlab'])(
  'init writes the CI file for %s to the folder where the repository has its CI files',
  async (ci) => {
    write({ 'sub/it is/package.json': { name: 'app' }, '.git/HEAD': '' });
    const io = fakeIo({ workingFolder: join(root, 'sub/it is') });
    expect(await runProgram(['init', ...flags, '--ci', ci], io)).toBe(0);
    expect(existsSync(join(root, 'sub/it is/switchyard.config.mts'))).toBe(true);
    if (ci === 'github') {
      const { defaults } = parse(read('.github/workflows/switchyard.yml'));
      expect(defaults).toEqual({ run: { 'working-directory': 'sub/it is' } });
    } else {
      const { script, artifacts } = parse(read('.gitlab/switchyard.gitlab-ci.yml'))['switchyard-verify'];
      expect(script.slice(0, 2)).toEqual(["cd 'sub/it is'", 'npm ci']);
      expect(artifacts.paths).toEqual(['sub/it is/changes.md']);
    }
  },
);

test('init notes that CI cannot reach a router on this machine', async () => {
  const local = ['--router-url', 'http://127.0.0.1:4010', '--yes'];
  expect((await init([...local, '--ci', 'github'])).out).toContain('a CI job cannot reach http://127.0.0.1:4010');
  expect((await init([...flags, '--ci', 'github', '--force'])).out).not.toContain('cannot reach');
});

test('init sets up a folder without a package.json', async () => {
  const { code, out } = await init([...flags, '--ci', 'github']);
  expect(code).toBe(0);
  expect(existsSync(join(root, 'package.json'))).toBe(false);
  expect(read('.github/workflows/switchyard.yml')).toMatch(/npx --yes openapi-switchyard@\S+ verify generated/);
  expect(out).toMatch(/Next:\n {2}1\. SWITCHYARD_API_KEY=… npx --yes openapi-switchyard@\S+ generate\n$/);
});

test('init does not ask for a credential that is already set', async () => {
  const io = fakeIo({ workingFolder: root, env: { SWITCHYARD_TOKEN: 'token-of-init' } });
  await runProgram(['init', ...flags], io);
  expect(io.written.out).toMatch(/Next:\n {2}1\. npx --yes openapi-switchyard@\S+ generate\n$/);
});

test.each([
  {
    name: 'a plain folder',
    files: {},
    steps: /1\. .*npx .* generate\n {2}2\. commit generated\/ .*"npx --yes \S+ verify"/,
  },
  {
    name: 'a package',
    files: { 'package.json': { name: 'app' }, 'pnpm-lock.yaml': '' },
    steps:
      /1\. pnpm install\n.*2\. .*pnpm run switchyard:generate\n {2}3\. commit .*"pnpm exec openapi-switchyard verify"/,
  },
  {
    name: 'a package where switchyard is installed',
    files: { 'package.json': { name: 'app' }, 'node_modules/openapi-switchyard/package.json': {} },
    steps: /Next:\n {2}1\. .*npm run switchyard:generate\n {2}2\. commit/,
  },
])('init lists the commit as the last step for $name in a repository', async ({ files, steps }) => {
  write({ '.git/HEAD': '', ...files });
  expect((await init(flags)).out).toMatch(steps);
});

test('init shows the changes and writes nothing without confirmation', async () => {
  write({ 'package.json': { name: 'app' } });
  const before = read('package.json');
  const shown = await init(flags.slice(0, 2));
  expect(shown).toMatchObject({
    code: 1,
    out: expect.stringMatching(/change package\.json: .*\n(?:[+-] .*\n)*\+ {3}"scripts"/),
  });
  expect(shown.out).toContain('nothing was written; use --yes to write the files');
  expect([read('package.json'), existsSync(join(root, 'switchyard.config.mts'))]).toEqual([before, false]);
  expect(await init([])).toMatchObject({ code: 2, err: expect.stringMatching(/--router-url/) });
});

test('init writes a URL with a quotation mark as one string', async () => {
  await init(['--router-url', "https://router.example/it's", '--yes']);
  const { config } = await loadConfig({}, fakeIo({ workingFolder: root }));
  expect(config.routerUrl).toBe('https://router.example/it%27s');
});

test('init asks for the base URL and the scope if it runs in a terminal', async () => {
  write({ 'package.json': { name: 'root', type: 'module', workspaces: ['packages/*'] } });
  const answers = ['https://router.example/', 'acme', 'y'];
  expect(await init(['--out', 'libs'], answers)).toMatchObject({ code: 0 });
  expect((await loadConfig({}, fakeIo({ workingFolder: root }))).written).toEqual({
    routerUrl: 'https://router.example',
    generate: { out: 'libs', scope: '@acme' },
  });
  expect(await init([], ['https://other.example', '', 'n'])).toMatchObject({ code: 0 });
  expect(read('switchyard.config.ts')).toContain('https://router.example');
});

test.each([
  { name: 'pnpm', files: { 'pnpm-workspace.yaml': 'packages:\n  - "./packages/*/"\n' } },
  { name: 'bun', files: { 'package.json': { workspaces: { packages: ['packages/*'] } }, 'bun.lock': '' } },
])('init in a member of a workspace of $name uses $name and rejects a scope', async ({ name, files }) => {
  const workspace = root;
  write({ ...files, 'packages/app/package.json': { name: 'app', type: 'module' } });
  root = join(workspace, 'packages/app');
  const { code, err } = await init([...flags, '--scope', '@acme']);
  expect([code, readdirSync(root)]).toEqual([2, ['package.json']]);
  expect(err).toContain(`belongs to the workspace of ${workspace}, where packages are linked: run init in that folder`);
  expect(await init(flags)).toMatchObject({ code: 0, out: expect.stringContaining(`${name} run switchyard:generate`) });
});

test('init replaces an existing file only with --force', async () => {
  write({ 'switchyard.config.mjs': 'export default {};\n' });
  expect((await init(flags)).out).toContain('not replaced switchyard.config.mjs: use --force to replace it');
  expect(read('switchyard.config.mjs')).toBe('export default {};\n');
});

test.skipIf(process.platform === 'win32').each([
  ['package.json', 'a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['yarn.lock', 'a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
  ['.gitignore', 'a folder', (path: string) => mkdirSync(path)],
])('init does not read a %s that is %s', async (name, _, make) => {
  make(join(root, name));
  expect(await init(flags)).toMatchObject({ code: 2, err: expect.stringContaining(`${name} is not a regular file`) });
});

test('init adds the packages to the list of a pnpm workspace, and keeps its comments', async () => {
  write({ 'package.json': { name: '@acme/root' }, 'pnpm-workspace.yaml': '# ours\npackages: [apps/*] # apps\n' });
  expect(await init(flags)).toMatchObject({ code: 0 });
  expect(parse(read('pnpm-workspace.yaml')).packages).toEqual(['apps/*', 'generated/*']);
  expect(read('pnpm-workspace.yaml')).toMatch(/^# ours\n.*# apps$/ms);
});

test('init rejects a pnpm workspace that is not valid YAML', async () => {
  write({ 'package.json': { name: '@acme/root' }, 'pnpm-workspace.yaml': 'packages: [' });
  expect(await init(flags)).toMatchObject({ code: 2, err: expect.stringContaining('pnpm-workspace.yaml') });
});

test.each(['/etc', '../up', 'a/../../b', 'a b'])(
  'init rejects %s as the folder of the generated files',
  async (out) => {
    expect(await init([...flags, '--out', out])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/within the project/),
    });
  },
);

test.each(['github', 'gitlab'])(
  'docs/how-to/ci-generated-files.md contains the file that init writes for %s',
  async (ci) => {
    write({ 'package.json': { name: 'app', type: 'module' } });
    await init([...flags, '--ci', ci]);
    const path = ci === 'github' ? '.github/workflows/switchyard.yml' : '.gitlab/switchyard.gitlab-ci.yml';
    const page = readFileSync(join(packageRoot(), 'docs/how-to/ci-generated-files.md'), 'utf8');
    expect(page).toContain(`\`\`\`yaml\n${read(path)}\`\`\``);
  },
);
