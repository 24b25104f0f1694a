import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { validate } from 'dockerfile-utils';
import { createServer as createVite, type InlineConfig } from 'vite';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { createProgram } from '../../../scripts/cli/program.ts';
import { fakeIo } from '../../../scripts/tests/fake-io.ts';
import { serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks, commandLines, listPages, namedBlock, readPage } from './code-blocks.ts';
import type { Step } from './jobs.ts';
import { freePort } from './project.ts';

// Checks that take seconds: mentioned commands exist, workflows are safe, and the command of the container works. run.ts runs the pages.

const { scripts } = JSON.parse(readPage('package.json'));

/** Creates the program with all its commands and flags, but without their actions. */
function idleProgram(io = fakeIo({ workingFolder: packageRoot() })): Command {
  const program = createProgram(io, () => {});
  const disarm = (command: Command): void => {
    if (command.commands.length === 0 || command.name() === 'conform') command.action(() => {});
    for (const child of command.commands) disarm(child);
  };
  disarm(program);
  return program;
}

/** Splits a command line into words, without variables at its start, up to the first shell operator. */
function commandWords(text: string): string[] {
  const words = [...text.matchAll(/(?:[^\s'"|;&<>]|'[^']*'|"[^"]*")+|[|;&<>]+/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^[|;&<>]+$/.test(word));
  const command = end === -1 ? words : words.slice(0, end);
  const first = command.findIndex((word) => !/^\w+=/.test(word));
  return command.slice(first === -1 ? command.length : first).map((word) => word.replaceAll(/['"]/g, ''));
}

/** Returns why a command line cannot be run; undefined if the program, npm or Node accepts it. */
async function findProblem(text: string, ownFiles: readonly string[] = []): Promise<string | undefined> {
  const filled = text
    .replaceAll(/ (?:\[[^\]]+\]|<[^>]+>)/g, '')
    .replaceAll(/(?<=-url |--hooks )(?:…|URL)/g, 'http://router.test');
  const [tool = '', first = '', ...rest] = commandWords(filled);
  const findFileProblem = (path: string): string | undefined =>
    ownFiles.includes(path) || existsSync(join(packageRoot(), path)) ? undefined : `there is no ${path}`;
  if (tool === 'switchyard' || first === 'switchyard') return 'write it as npx openapi-switchyard';
  if (tool === 'node' && !first.startsWith('-')) return findFileProblem(first);
  if (tool === 'npx' && first === 'vitest')
    return rest
      .slice(1)
      .filter((path) => path !== 'FILE')
      .map(findFileProblem)[0];
  if (tool === 'npm') {
    const name = first === 'run' ? (rest[0] ?? '') : first;
    const otherScripts = ['dev', 'e2e', 'start', 'ci', 'init', 'install', 'pack', 'pkg', 'publish', 'sbom', 'view'];
    return name in scripts || otherScripts.includes(name) ? undefined : `there is no script ${name}`;
  }
  if (tool !== 'npx' || first !== 'openapi-switchyard') return undefined;
  let named: Command | undefined = idleProgram();
  for (const word of rest) named = named?.commands.find((child) => child.name() === word);
  const io = fakeIo({ workingFolder: packageRoot() });
  const refusal = await idleProgram(io)
    .parseAsync(rest, { from: 'user' })
    .then(
      () => undefined,
      (error: Error) => io.written.err.trim() || error.message,
    );
  return named === undefined ? refusal : undefined;
}

/** Lists the commands in shell blocks and in backticks. */
function listCommands(page: string): string[] {
  const blocks = codeBlocks(page).filter(({ language }) => language === 'sh');
  const prose = readPage(page).replaceAll(/^( *)```.*?^\1```$/gms, '');
  const quoted = [...prose.matchAll(/`((?:switchyard|npx|npm|node) [^`\n]+)`/g)].map(([, text = '']) => text);
  return [...blocks.flatMap(commandLines).map(({ text }) => text), ...quoted];
}

test.each(listPages().filter((page) => listCommands(page).length > 0))(
  'the page %s only mentions existing commands, flags, scripts and files',
  async (page) => {
    const ownFiles = codeBlocks(page).map(({ name }) => name);
    const problems = await Promise.all(
      listCommands(page).map(async (text) => [text, await findProblem(text, ownFiles)] as const),
    );
    expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
  },
);

test('every example in the help texts uses existing commands and flags', async () => {
  const program = idleProgram();
  const all = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => [...commands])];
  const examples = all.flatMap((command) => {
    const io = fakeIo({ workingFolder: packageRoot() });
    command.configureOutput({ writeOut: io.out }).outputHelp();
    return [...io.written.out.matchAll(/^ {2}\$ (.+?)(?: {2,}.*)?$/gm)].map(([, text = '']) => text);
  });
  expect(examples).not.toEqual([]);
  const problems = await Promise.all(examples.map(async (text) => [text, await findProblem(text)] as const));
  expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
});

const workflows = globSync('.github/workflows/*.yml', { cwd: packageRoot() });
const userWorkflows = listPages()
  .flatMap(codeBlocks)
  .filter(({ name }) => name.startsWith('.github/workflows/'));
const listSteps = (text: string): Step[] =>
  Object.values(parse(text).jobs as Record<string, { steps: Step[] }>).flatMap(({ steps }) => steps);

test.each([
  ...workflows.map((name) => ({ name, text: readPage(name) })),
  ...userWorkflows,
  { name: 'action.yml', text: readPage('action.yml') },
])(
  '$name pins each action by its digest, and no script in it contains an expression, which could inject code',
  ({ name, text }) => {
    const uses = [...text.matchAll(/uses: (.+)/g)]
      .map(([, action = '']) => action)
      .filter((action) => !/^(?:\.\/|OWNER)/.test(action));
    expect(uses).not.toEqual([]);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const steps: Step[] = name === 'action.yml' ? parse(text).runs.steps : listSteps(text);
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  },
);

test.each(userWorkflows)('the checkout of $name stores no token, unless a step pushes', ({ text }) => {
  for (const { steps } of Object.values(parse(text).jobs as Record<string, { steps: Step[] }>)) {
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    const pushes = steps.some(({ run }) => run?.includes('git push'));
    expect(checkout?.with).toMatchObject(pushes ? {} : { 'persist-credentials': false });
  }
});

test.each(workflows)('the workflow %s has read-only permissions and a time limit', (name) => {
  const { permissions, jobs } = parse(readPage(name));
  expect(permissions).toEqual({ contents: 'read' });
  for (const job of Object.values<{ 'timeout-minutes'?: number }>(jobs))
    expect(job['timeout-minutes']).toBeGreaterThan(0);
});

test('the recipe for Storybook forwards calls to a sandbox', async () => {
  const server = await serveSandbox();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-storybook-'));
  const recipe = namedBlock('docs/how-to/test-a-page.md', '.storybook/main.ts').text;
  writeFileSync(join(folder, 'main.ts'), recipe.replaceAll('http://127.0.0.1:4010', server.url));
  const { default: config }: { default: { viteFinal: (config: InlineConfig) => InlineConfig } } = await import(
    pathToFileURL(join(folder, 'main.ts')).href
  );
  const vite = await createVite(
    config.viteFinal({ root: folder, configFile: false, logLevel: 'silent', server: { port: 0 } }),
  );
  try {
    await vite.listen();
    const headers = { 'X-API-Key': sandboxCredentials.router.main };
    const response = await fetch(new URL('/v2/models?limit=1', vite.resolvedUrls?.local[0]), { headers });
    expect([response.status, (await response.json()).data.length]).toEqual([200, 1]);
  } finally {
    await vite.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

let running: ChildProcess | undefined;
afterEach(() => void running?.kill('SIGKILL'));

test('the container image pins its base, runs the sandbox without privileges, and exits with code 0 on SIGTERM', async () => {
  const dockerfile = readPage('Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  for (const [, base] of dockerfile.matchAll(/^FROM (\S+)/gm)) expect(base).toMatch(/:.*\d.*@sha256:[\da-f]{64}$/);
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last.match(/^USER (?!root|0\b)\S+/m)).not.toBeNull();
  const port = await freePort();
  const words = (form: RegExp): string[] =>
    JSON.parse(form.exec(last)?.[1] ?? '').map((word: string) => word.replace('4010', port));
  expect(words(/^ENTRYPOINT (\[.*\])$/m)).toEqual(['switchyard']);
  const [, ...probe] = words(/^HEALTHCHECK .*?CMD (\[.*\])$/m);
  const isHealthy = async (): Promise<boolean> => (await once(spawn(process.execPath, probe), 'exit'))[0] === 0;
  expect(await isHealthy()).toBe(false);
  const command = [join(packageRoot(), 'scripts/switchyard.mjs'), ...words(/^CMD (\[.*\])$/m)];
  running = spawn(process.execPath, command, { stdio: 'ignore' });
  await expect.poll(isHealthy, { timeout: 50_000 }).toBe(true);
  running.kill('SIGTERM');
  expect(await once(running, 'exit')).toEqual([0, null]);
});
