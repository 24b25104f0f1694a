import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../../scripts/cli/program.ts';
import { fakeIo } from '../../../scripts/tests/fake-io.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks } from './code-blocks.ts';
import { exceptionFor, exceptions, wholeBlocks } from './command-exceptions.ts';
import { type CommandLine, commandLines, commandWords, pages } from './command-lines.ts';
import { fillIn } from './placeholders.ts';

// Whether each command line of the pages could be run; run-commands.ts runs them.
const lines = pages().flatMap(commandLines);
const places = { url: 'http://127.0.0.1:4010', sandboxPort: '4010' };
const manifest: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
);
/** Of the projects of readers. */
const readerScripts = ['e2e', 'start'];

/** The real commands, which do nothing when they are run. */
function idleProgram(io = fakeIo({ workingFolder: packageRoot() })): Command {
  const program = createProgram(io, () => {});
  const disarm = (command: Command): void => {
    if (command.commands.length === 0 || command.name() === 'conform') command.action(() => {});
    for (const child of command.commands) disarm(child);
  };
  disarm(program);
  return program;
}

/** Undefined where the program accepts the words, or where they only name a command. */
async function findArgumentProblem(words: readonly string[]): Promise<string | undefined> {
  let named: Command | undefined = idleProgram();
  for (const word of words) named = named?.commands.find((child) => child.name() === word);
  if (named !== undefined) return undefined;
  const io = fakeIo({ workingFolder: packageRoot() });
  try {
    await idleProgram(io).parseAsync([...words], { from: 'user' });
    return undefined;
  } catch {
    return io.written.err.trim();
  }
}

async function findProblem(text: string, ownFiles: readonly string[] = []): Promise<string | undefined> {
  const [tool = '', first = '', ...rest] = commandWords(fillIn(text, places));
  if (tool === 'switchyard' || (tool === 'npx' && first === 'switchyard')) return 'write it as npx openapi-switchyard';
  if (tool === 'npx' && first === 'openapi-switchyard') return findArgumentProblem(rest);
  if (tool === 'npx' && first === 'vitest') return findFileProblem(rest.slice(1));
  if (tool === 'node') return ownFiles.includes(first) ? undefined : findFileProblem([first]);
  return tool === 'npm' ? findScriptProblem(first === 'run' ? rest[0] : first) : undefined;
}

/** Of a script of the manifest; other commands of npm are its own. */
function findScriptProblem(name = ''): string | undefined {
  const npmCommand = ['ci', 'init', 'install', 'pack', 'pkg', 'publish', 'sbom', 'view'];
  const isKnown = name in manifest.scripts || readerScripts.includes(name) || npmCommand.includes(name);
  return isKnown ? undefined : `there is no script ${name}`;
}

function findFileProblem(paths: readonly string[]): string | undefined {
  const missing = paths.filter((path) => !existsSync(join(packageRoot(), path)));
  return missing.length === 0 ? undefined : `there is no ${missing.join(', ')}`;
}

async function listProblems(found: readonly CommandLine[]): Promise<string[]> {
  const problems = await Promise.all(
    found.map(({ page, text }) => findProblem(text, page === 'help' ? [] : codeBlocks(page).map(({ name }) => name))),
  );
  return found.flatMap(({ page, line, text }, index) =>
    problems[index] === undefined ? [] : [`${page}:${line} ${text}: ${problems[index]}`],
  );
}

test('every command line of the pages names commands, flags, scripts and files that exist', async () => {
  expect(lines).not.toEqual([]);
  expect(await listProblems(lines)).toEqual([]);
});

test('every example of the help texts does', async () => {
  const program = idleProgram();
  const all = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => [...commands])];
  const examples = all.flatMap((command) => {
    const io = fakeIo({ workingFolder: packageRoot() });
    command.configureOutput({ writeOut: io.out }).outputHelp();
    return [...io.written.out.matchAll(/^ {2}\$ (.+?)(?: {2,}.*)?$/gm)].map(([, text = '']) => text);
  });
  expect(examples).not.toEqual([]);
  const found = examples.map((text) => ({ ...{ page: 'help', line: 0, exitCode: 0 }, text }));
  expect(await listProblems(found.map((one) => ({ ...one, place: { kind: 'sentence' as const } })))).toEqual([]);
});

describe('a command line that does not exist', () => {
  test.each([
    ['npx openapi-switchyard generat', /unknown command 'generat'/],
    ['npx openapi-switchyard generate --chek', /unknown option '--chek'/],
    ['npx openapi-switchyard specs biuld', /unknown command 'biuld'/],
    ['npx openapi-switchyard conform --budget many', /whole number/],
    ['switchyard generate', /write it as npx openapi-switchyard/],
    ['npx switchyard generate', /write it as npx openapi-switchyard/],
    ['npm run quickstrat', /no script quickstrat/],
    ['node scripts/none.ts', /no scripts\/none\.ts/],
    ['npx vitest run scripts/none.test.ts', /no scripts\/none\.test\.ts/],
  ])('is found: %s', async (text, problem) => {
    expect(await findProblem(text)).toMatch(problem);
  });
});

test('every exception is on a page, and says what runs its block', () => {
  const unused = exceptions.filter((one) => !lines.some(({ text }) => exceptionFor(text) === one));
  expect(unused).toEqual([]);
  const runners = globSync('contract-tests/tests/**/{run*,release*}.ts', { cwd: packageRoot() }).map((path) =>
    readFileSync(join(packageRoot(), path), 'utf8'),
  );
  for (const { page, names } of wholeBlocks) {
    const found = lines.filter(
      ({ page: on, place }) => on === page && place.kind === 'block' && names.test(place.name),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(
      runners.some((text) => text.includes(page)),
      page,
    ).toBe(true);
  }
});
