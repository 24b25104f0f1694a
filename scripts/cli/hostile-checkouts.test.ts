import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { type CommandResult, folderForFile, folderForTest, runCommand } from '../tests/run-command.ts';
import { serveSandbox } from '../tests/with-sandbox.ts';
import { findLatestTag, findLockDate, findOutputAt } from './git-output.ts';

// A checkout may come from a stranger: its git settings, its output folder and its cache must not run programs, read files
// outside of it, or make a command run forever.

let root = '';
let url = '';
const pristine = folderForFile();

const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };
const run = (words: readonly string[], folder: string): Promise<CommandResult> => runCommand(words, folder, env);
const source = (): string[] => ['--router-url', url, '--only', 'image-provider/still-2.1', '--scope', '@acme'];

beforeAll(async () => {
  const served = await serveSandbox();
  ({ url } = served);
  const { code, err } = await run(['generate', ...source()], pristine);
  if (code !== 0) throw new Error(err);
  return served.close;
}, 60_000);
beforeEach(() => {
  root = folderForTest();
  execFileSync('cp', ['-R', `${pristine}/.`, root]);
});
afterEach(() => vi.unstubAllEnvs());

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim();

/** A program that leaves a file when it runs, so that a test can detect it. */
function writeTrap(): { program: string; mark: string } {
  const [program, mark] = [join(root, 'trap.sh'), join(root, 'the-trap-ran')];
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> '${mark}'\ncat\n`);
  chmodSync(program, 0o755);
  return { program, mark };
}

/** A repository whose newest commit claims to be signed, and whose settings contain a program wherever git accepts one. */
function makeRepository(program: string): void {
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(root, '.gitattributes'), '* diff=trap filter=trap\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Generate');
  const commit = git('cat-file', 'commit', 'HEAD');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEz\n -----END PGP SIGNATURE-----\n';
  const signed = commit.replace(/^(committer .*\n)/m, `$1${signature}`);
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: root,
    input: `${signed}\n`,
    encoding: 'utf8',
  });
  git('update-ref', 'HEAD', id.trim());
  git('tag', 'v1.0.0');
  const settings = {
    'log.showSignature': 'true',
    'gpg.program': program,
    'core.fsmonitor': program,
    'core.hooksPath': dirname(program),
    'core.pager': program,
    'pager.log': program,
    'core.sshCommand': program,
    'core.editor': program,
    'diff.external': program,
    'diff.trap.textconv': program,
    'diff.trap.command': program,
    'filter.trap.clean': program,
    'filter.trap.smudge': program,
    'alias.rev-list': `!${program}`,
    'alias.cat-file': `!${program}`,
    'remote.origin.url': 'ssh://host.example/repository',
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': program,
    'protocol.ssh.allow': 'always',
    'extensions.partialClone': 'origin',
  };
  for (const [name, value] of Object.entries(settings)) git('config', name, value);
}

test('git never runs a program from the settings of a repository or the environment', async () => {
  const { program, mark } = writeTrap();
  makeRepository(program);
  const blob = git('rev-parse', 'HEAD:generated/switchyard.lock.json');
  for (const name of ['GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_ASKPASS'])
    vi.stubEnv(name, program);
  vi.stubEnv('GIT_DIR', '/nowhere');
  const folder = join(root, 'generated');
  expect(await findLockDate(folder)).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(await findLatestTag('v*', folder)).toBe('v1.0.0');
  expect(await findOutputAt('HEAD', folder)).toBeDefined();
  expect(await run(['diff', 'generated', '--base', 'HEAD'], root)).toMatchObject({ code: 0 });
  // This object is missing, so git would fetch it from a promisor remote.
  rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  expect((await run(['diff', 'generated', '--base', 'HEAD'], root)).code).not.toBe(0);
  expect(existsSync(mark) ? readFileSync(mark, 'utf8') : 'no program ran').toBe('no program ran');
});

test('commands ignore a folder that only looks like a bare repository', async () => {
  const { program, mark } = writeTrap();
  makeRepository(program);
  const layout = join(root, 'generated');
  for (const name of ['HEAD', 'config', 'objects', 'refs', 'packed-refs'])
    if (existsSync(join(root, '.git', name))) renameSync(join(root, '.git', name), join(layout, name));
  rmSync(join(root, '.git'), { recursive: true });
  execFileSync('git', ['config', '--file', join(layout, 'config'), 'core.bare', 'false']);
  execFileSync('git', ['config', '--file', join(layout, 'config'), 'core.worktree', layout]);
  expect(await findLockDate(layout)).toBeUndefined();
  expect((await run(['diff', 'generated', '--base', 'HEAD'], root)).code).toBe(2);
  expect(existsSync(mark)).toBe(false);
});

test('diff --base rejects a repository whose settings declare a different working tree', async () => {
  const { program } = writeTrap();
  makeRepository(program);
  git('config', 'core.worktree', '/usr');
  expect(await run(['diff', 'generated', '--base', 'HEAD'], root)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/working tree/),
  });
});

const lockName = 'switchyard.lock.json';
const lockOf = (folder: string): { models: Record<string, { files: Record<string, string> }> } =>
  JSON.parse(readFileSync(join(folder, 'generated', lockName), 'utf8'));
/** A file of the model, as the lockfile lists it. */
const listed = (): string =>
  Object.keys(lockOf(root).models['image-provider/still-2.1']?.files ?? {}).find((path) =>
    path.endsWith('.schema.json'),
  ) ?? '';
const inOutput = (path: string): string => join(root, 'generated', path);

function moveAway(path: string): string {
  const away = join(root, 'away');
  renameSync(path, away);
  return away;
}

const plants: readonly [string, () => void][] = [
  [
    'a listed file is a link to an endless file',
    () => {
      rmSync(inOutput(listed()));
      symlinkSync('/proc/self/mem', inOutput(listed()));
    },
  ],
  ['a listed file is a link to a file elsewhere', () => symlinkSync(moveAway(inOutput(listed())), inOutput(listed()))],
  [
    'a folder of the output is a link',
    () => symlinkSync(moveAway(dirname(inOutput(listed()))), dirname(inOutput(listed()))),
  ],
  ['the lockfile is a link', () => symlinkSync(moveAway(inOutput(lockName)), inOutput(lockName))],
  ['a listed file has 10 GB', () => truncateSync(inOutput(listed()), 10_000_000_000)],
  ['the lockfile has 10 GB', () => truncateSync(inOutput(lockName), 10_000_000_000)],
];

test.each(plants)('every command stops reading if %s', async (_, plant) => {
  plant();
  const verified = await run(['verify', 'generated'], root);
  expect(verified.code).not.toBe(0);
  expect(`${verified.out}${verified.err}`).toMatch(/symbolic link|128 MiB/);
  expect((await run(['diff', 'generated', 'generated'], root)).code).not.toBe(0);
  for (const words of [
    ['generate', ...source(), '--check'],
    ['generate', ...source(), '--frozen'],
    ['generate', ...source()],
  ])
    expect((await run(words, root)).code, words.join(' ')).not.toBe(0);
});

test('verify does not open a listed file that is a pipe', async () => {
  rmSync(inOutput(listed()));
  execFileSync('mkfifo', [inOutput(listed())]);
  expect((await run(['verify', 'generated'], root)).code).toBe(1);
});

test('generate does not write through a lock or a cache that is a link', async () => {
  const away = join(root, 'away');
  mkdirSync(join(away, 'next'), { recursive: true });
  symlinkSync(away, join(root, '.generated.switchyard'));
  expect((await run(['generate', ...source()], root)).code).not.toBe(0);
  expect(existsSync(join(away, 'next'))).toBe(true);
  rmSync(join(root, '.generated.switchyard'));
  rmSync(join(root, '.switchyard/cache'), { recursive: true });
  mkdirSync(join(root, '.switchyard/cache'));
  symlinkSync(away, join(root, '.switchyard/cache/v2'));
  const { out } = await run(['generate', ...source()], root);
  expect(out).toMatch(/cache could not be used.*symbolic link/);
  expect(existsSync(join(away, '.gitignore'))).toBe(false);
});

test('generate fetches a cached document again if its digest differs from its index entry', async () => {
  const objects = execFileSync('find', [join(root, '.switchyard/cache'), '-path', '*/objects/*.json'], {
    encoding: 'utf8',
  });
  const [object = ''] = objects.trim().split('\n');
  const text = readFileSync(object, 'utf8').replace('prompt', 'promqt');
  expect(createHash('sha256').update(text).digest('hex')).not.toBe(object.split('/').at(-1)?.replace('.json', ''));
  writeFileSync(object, text);
  rmSync(join(root, 'generated'), { recursive: true });
  expect(await run(['generate', ...source()], root)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/1 fetched/),
  });
  expect(readFileSync(inOutput(listed()), 'utf8')).not.toContain('promqt');
});
