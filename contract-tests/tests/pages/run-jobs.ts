import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import type { Deployment } from './deployment.ts';
import type { Project, Ran } from './project.ts';
import { compositeAction, type GitlabJob, holds, type Job, type Names, type Step, substitute } from './workflow.ts';

/** What is not executed, by the beginning of an action or a script, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  'actions/checkout@': 'the project is made here',
  'actions/setup-node@': 'Node is there',
  'actions/cache@': 'GitHub keeps the cache',
  'github/codeql-action/upload-sarif@': 'it needs GitHub; its file is checked',
  'npm ci': 'this checkout stands in for the package of a registry',
};
export const usedReasons = new Set<string>();

function isLeftOut(text: string): boolean {
  const start = Object.keys(leftOut).find((name) => text.startsWith(name));
  if (start !== undefined) usedReasons.add(start);
  return start !== undefined;
}

/** What GitHub keeps between jobs and runs. */
export type Store = { readonly folder: string; close(): void };

// Has one pull request at most, of a branch that was pushed.
const gh = `#!/usr/bin/env bash
set -eu
: "\${GH_TOKEN:?}"
pull="$(dirname "$0")/../pull-request"
echo "$1 $2" >> "$pull/calls"
case "$1 $2" in
  'pr list') if [ -e "$pull/body" ]; then echo 7; fi ;;
  'pr create') git ls-remote --exit-code origin "$4" && cp "\${@: -1}" "$pull/body" ;;
  'pr edit') [ "$3" = 7 ] && cp "\${@: -1}" "$pull/body" ;;
  *) exit 1 ;;
esac
`;

/** `pull-request` holds the calls of `gh` and the body of the pull request; `origin` is the repository at GitHub. */
export function makeStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-store-'));
  for (const name of ['artifacts', 'cache', 'origin', 'pull-request', 'bin']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'bin/gh'), gh, { mode: 0o755 });
  return { folder, close: () => rmSync(folder, { recursive: true }) };
}

export type Context = {
  readonly project: Project;
  readonly deployment: Pick<Deployment, 'environment'>;
  /** In place of those that pages name: 4010 for a sandbox, 8080 for the reader's own service. */
  readonly port: string;
  readonly store: Store;
  /** A checkout on another machine. It lasts as long as the walk. */
  readonly otherProject: () => Project;
};

/** Executes jobs as GitHub does, each but the last in a project of its own. A failed one ends the chain, but for `always()`. */
export async function runJobs(chain: readonly [...Job[], Job], context: Context): Promise<Ran> {
  let failure: Ran | undefined;
  for (const [index, job] of chain.entries()) {
    const isLast = index === chain.length - 1;
    // Jobs beside each other run whatever becomes of the others.
    if (failure !== undefined && isLast && !job.always) return failure;
    const project = isLast ? context.project : context.otherProject();
    const ran = await runJob(job, { ...context, project });
    if (ran.code !== 0 && (isLast || failure === undefined)) failure = ran;
  }
  return failure ?? { code: 0, output: '' };
}

function runJob(job: Job, context: Context): Promise<Ran> {
  const { project, deployment } = context;
  const names: Names = {
    ...prefixed('matrix', job.matrix),
    ...prefixed('vars', deployment.environment),
    ...prefixed('secrets', deployment.environment),
    'github.run_id': '1',
    'github.token': 'none',
    'github.event_name': 'pull_request',
    'runner.temp': join(project.folder, '.runner-temp'),
  };
  return runSteps(job.steps, { env: job.env, names, context });
}

type Scope = { readonly env: Names; readonly names: Names; readonly context: Context };

/** After a step that failed, only those with `always()` run. */
async function runSteps(steps: readonly Step[], scope: Scope): Promise<Ran> {
  const outputs: Record<string, string> = {};
  let failure: Ran | undefined;
  for (const step of steps) {
    const names = { ...scope.names, ...outputs };
    const isDue = failure === undefined || step.condition?.startsWith('always()') === true;
    if (!isDue || !holds(step.condition, names)) continue;
    scope.context.project.write('.github-output', '');
    const { code, output } = await runStep(step, { ...scope, names });
    if (code !== 0) failure ??= { code, output: `${step.uses ?? step.run}\n${output}` };
    Object.assign(outputs, prefixed(`steps.${step.id}.outputs`, outputsIn(scope.context.project)));
  }
  return failure ?? { code: 0, output: '' };
}

async function runStep(step: Step, { env: outer, names, context }: Scope): Promise<Ran> {
  const { project, port, store } = context;
  if (step.uses === './node_modules/openapi-switchyard') return runComposite(step, { env: outer, names, context });
  if (step.uses !== undefined) return runAction(step.uses, substituteAll(step.with, names), context);
  if (step.run === undefined || isLeftOut(step.run)) return { code: 0, output: '' };
  const env = Object.entries(substituteAll({ ...outer, ...step.env }, names));
  return project.run(onPort(port, step.run), {
    ...Object.fromEntries(env.map(([name, value]) => [name, onPort(port, value)])),
    GITHUB_ACTIONS: 'true',
    GITHUB_BASE_REF: 'main',
    GITHUB_OUTPUT: join(project.folder, '.github-output'),
    GITHUB_STEP_SUMMARY: join(project.folder, '.github-summary'),
    GITHUB_RUN_ID: '1',
    RUNNER_TEMP: join(project.folder, '.runner-temp'),
    PATH: [join(store.folder, 'bin'), join(packageRoot(), 'node_modules/.bin'), process.env['PATH']].join(':'),
  });
}

const onPort = (port: string, text: string): string => text.replace(/\b(?:4010|8080)\b/g, port);

/** The action of this repository, which every project has installed. */
function runComposite(step: Step, { env, names, context }: Scope): Promise<Ran> {
  const { inputs, steps } = compositeAction(readFileSync(join(packageRoot(), 'action.yml'), 'utf8'));
  const given = substituteAll(step.with, names);
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`);
  const inner = { ...prefixed('inputs', { ...inputs, ...given }), 'runner.temp': names['runner.temp'] ?? '' };
  return runSteps(steps, { env: substituteAll(env, names), names: inner, context });
}

/** Artefacts and the cache of files go through the store. A file that an action takes and that is not there is a failure. */
function runAction(uses: string, given: Names, { project, store }: Context): Ran {
  const { name = '', path = '', pattern = '', sarif_file: sarif } = given;
  const here = resolve(project.folder, path);
  const artifacts = join(store.folder, 'artifacts');
  const cached = join(store.folder, 'cache', path);
  const [action] = uses.split('@');
  if (sarif !== undefined && !existsSync(join(project.folder, sarif))) return missing(sarif);
  switch (action) {
    case 'actions/upload-artifact':
      if (!isFilled(here)) return missing(path);
      cpSync(here, join(artifacts, name), { recursive: true });
      break;
    case 'actions/download-artifact':
      for (const found of globSync(pattern, { cwd: artifacts }))
        cpSync(join(artifacts, found), join(here, found), { recursive: true });
      break;
    case 'actions/cache/save':
      if (!existsSync(here)) return missing(path);
      cpSync(here, cached);
      break;
    case 'actions/cache/restore':
      if (existsSync(cached)) cpSync(cached, here);
      break;
    default:
      if (!isLeftOut(uses)) return { code: 1, output: 'it is neither executed nor left out with a reason' };
  }
  return { code: 0, output: '' };
}

const missing = (path: string): Ran => ({ code: 1, output: `there is nothing at ${path}` });

/** Executes jobs as GitLab does; artefacts of a job lie in the projects of those that need it. */
export async function runGitlabJobs(chain: readonly GitlabJob[], context: Context): Promise<Ran> {
  const { project, deployment, port } = context;
  for (const { name, parallel, variables, script, artifacts } of chain)
    for (let index = 1; index <= parallel; index += 1) {
      const lines = onPort(port, script.filter((line) => !isLeftOut(line)).join('\n'));
      const own = Object.entries(variables).map(([key, value]) => [key, onPort(port, value)]);
      const { code, output } = await project.run(lines, {
        ...deployment.environment,
        ...Object.fromEntries(own),
        CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD',
        CI_NODE_INDEX: String(index),
        CI_NODE_TOTAL: String(parallel),
      });
      if (code !== 0) return { code, output: `${name}\n${output}` };
      const empty = artifacts.find((path) => !isFilledAt(path, project.folder));
      if (empty !== undefined) return missing(empty);
    }
  return { code: 0, output: '' };
}

function isFilledAt(pattern: string, folder: string): boolean {
  const found = globSync(pattern, { cwd: folder });
  return found.length > 0 && found.every((path) => isFilled(join(folder, path)));
}

/** Folders of reports hold what the page says of them. */
function isFilled(path: string): boolean {
  if (!existsSync(path)) return false;
  const wanted = ['report.html', 'result.json', 'junit.xml'];
  return !path.endsWith('reports') || wanted.every((name) => readdirSync(path).includes(name));
}

function substituteAll(values: Names, names: Names): Names {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, substitute(value, names)]));
}

function prefixed(prefix: string, values: Names): Names {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

function outputsIn({ folder }: Project): Record<string, string> {
  const lines = readFileSync(join(folder, '.github-output'), 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}
