import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { harOfReport } from '../har-of-report.ts';
import { exceptionFor, wholeBlocks } from './command-exceptions.ts';
import { type CommandLine, commandLines, pages } from './command-lines.ts';
import { type Deployment, deploy } from './deployment.ts';
import { copyCheckout, installUnpacked, mustRun, unpackPackage } from './packed-project.ts';
import { fillIn, type Places } from './placeholders.ts';
import { freePort, makeProject, type Project, runScript } from './project.ts';

// Executes the command lines of the pages: each page in a project of its own with the packed package, against a sandbox in
// place of a deployed service. Commands of contributors run in a copy of the checkout. What is not executed is listed with its
// reason in command-exceptions.ts. `--page PAGE` runs one page.
const { values: options } = parseArgs({ options: { page: { type: 'string' } } });

/** Where the lines of one page run. */
type Context = {
  readonly project: Project;
  readonly copy: string;
  readonly places: Places;
  readonly deployment: Deployment;
  /** Grows with what the page exports. */
  readonly environment: Record<string, string>;
};
type Preparation = { readonly before: RegExp; readonly prepare: (context: Context) => Promise<unknown> };

const credentials = Object.entries(sandboxCredentials.router).map(([name, value]) => ({
  name,
  value,
  variable: `KEY_${name.toUpperCase()}`,
}));
const settings = {
  conform: {
    live: {
      credentials: { router: Object.fromEntries(credentials.map(({ name, variable }) => [name, `env:${variable}`])) },
      models: [{ id: 'image-provider/still-2.1', input: { prompt: 'A quay' } }],
    },
  },
};
const commit = `git -c user.name=us -c user.email=us@us.example commit --quiet --message 'Generate packages'`;

/** What the reader of a page has, made before the first line that needs it. */
const preparations: readonly Preparation[] = [
  {
    before: /switchyard (?:generate|diff|verify)/,
    prepare: async (context) => {
      const { url } = context.deployment;
      context.environment['SWITCHYARD_ROUTER_URL'] = url; // of the configuration, where the page has written none
      await run(`npx openapi-switchyard generate --router-url ${url} --scope @acme`, context);
      await run(`git init --quiet --initial-branch main\ngit add generated\n${commit}`, context);
      await run('git update-ref refs/remotes/origin/main HEAD', context);
    },
  },
  {
    before: /conform --(?:router-url|hooks|models)/,
    prepare: async ({ project }) =>
      project.write('switchyard.config.ts', `export default ${JSON.stringify(settings)};\n`),
  },
  {
    before: /--compare last/,
    prepare: (context) =>
      run(`npx openapi-switchyard conform --router-url ${context.deployment.url} --out last`, context),
  },
  {
    before: /--har traffic/,
    prepare: async (context) => {
      const { project, deployment } = context;
      await run(
        `npx openapi-switchyard conform --router-url ${deployment.url} --rule 'catalog.*' --verbose --out before`,
        context,
      );
      project.write('traffic.har', harOfReport(join(project.folder, 'before')));
    },
  },
];

function run(script: string, { project, environment }: Context): Promise<unknown> {
  return mustRun(script, project.folder, environment);
}

const isServing = (text: string): boolean =>
  /switchyard (?:sandbox(?!.*--list)|mock)/.test(text) && !/--help/.test(text);

/** Starts what serves until it is stopped, and waits until it says where. */
const startInBackground = (text: string): string => `(${text}) > serving.log 2>&1 &
for attempt in $(seq 300); do if grep --quiet -E 'http://|files: ' serving.log; then exit 0; fi; sleep 0.1; done
cat serving.log
exit 1`;

async function runLine(line: CommandLine, context: Context): Promise<string[]> {
  const { project, copy, environment, places } = context;
  const text = fillIn(line.text, places);
  const [, name, value = ''] = /^export (\w+)=(.*)$/.exec(text) ?? [];
  if (name !== undefined) {
    environment[name] = value;
    return [];
  }
  const isForContributors = line.page === 'CONTRIBUTING.md' || /^(?:npx vitest |npm (?:run|test)|node )/.test(text);
  const { code, output } = isForContributors
    ? await runScript(text, copy)
    : await project.run(isServing(text) ? startInBackground(text) : text, environment);
  if (code === line.exitCode) return [];
  return [
    `${line.page}:${line.line} ${text} ended with exit code ${code}, not ${line.exitCode}: ${output.slice(-600)}`,
  ];
}

/** The lines of a page that are executed here, each once; names of commands in a sentence are no lines. */
function linesToRun(page: string): CommandLine[] {
  const lines = commandLines(page);
  return lines.filter(
    ({ text, place }, index) =>
      lines.findIndex((one) => one.text === text) === index &&
      exceptionFor(text) === undefined &&
      (place.kind === 'sentence'
        ? !/^(?:npx )?(?:openapi-)?switchyard(?: (?:specs|conform))? [a-z]+$/.test(text)
        : !wholeBlocks.some(({ page: on, names }) => on === page && names.test(place.name))),
  );
}

async function runPage(page: string, lines: readonly CommandLine[], { copy, unpacked }: Packed): Promise<string[]> {
  const deployment = await deploy();
  const e2e = `node -e "fetch(process.env.SWITCHYARD_ROUTER_URL + '/v2/models').then(({ status }) => process.exit(status === 401 ? 0 : 1))"`;
  const project = makeProject({ scripts: { e2e } });
  try {
    installUnpacked(unpacked, project);
    const { SWITCHYARD_API_KEY = '', SWITCHYARD_WORKFLOW_TOKEN = '' } = deployment.environment;
    const context: Context = {
      project,
      copy,
      deployment,
      places: { url: deployment.url, sandboxPort: await freePort() },
      environment: {
        SWITCHYARD_API_KEY,
        SWITCHYARD_WORKFLOW_TOKEN,
        SANDBOX: deployment.url,
        ...Object.fromEntries(credentials.map(({ variable, value }) => [variable, value])),
        PATH: `${join(project.folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      },
    };
    const waiting = new Set(preparations);
    const problems: string[] = [];
    for (const line of lines) {
      for (const one of waiting)
        if (one.before.test(line.text)) {
          waiting.delete(one);
          await one.prepare(context);
        }
      const started = performance.now();
      problems.push(...(await runLine(line, context)));
      process.stdout.write(
        `${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${page}:${line.line} ${line.text}\n`,
      );
    }
    return problems;
  } catch (error) {
    return [`${page}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    project.close();
    await deployment.close();
  }
}

type Packed = { readonly copy: string; readonly unpacked: string };

/** Decisions and release notes speak of a time; their command lines are only read. */
const executed = pages().filter((page) => !page.startsWith('docs/adr/'));
const folder = mkdtempSync(join(tmpdir(), 'switchyard-commands-'));
const copy = join(folder, 'checkout');
try {
  mkdirSync(copy);
  await copyCheckout(copy);
  const packed = { copy, unpacked: await unpackPackage(copy, join(folder, 'packed')) };
  const problems: string[] = [];
  let count = 0;
  for (const page of executed.filter((one) => options.page === undefined || one === options.page)) {
    const lines = linesToRun(page);
    count += lines.length;
    if (lines.length > 0) problems.push(...(await runPage(page, lines, packed)));
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`pages: ${count} command lines executed, ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 && count > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
