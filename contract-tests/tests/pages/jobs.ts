import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../../specs/src/index.ts';
import type { Project, Ran } from './project.ts';

// Runs the jobs of GitHub workflows and GitLab files in a project, one after the other. Throws for features that the pages don't use.

type Texts = Readonly<Record<string, string>>;
export type Step = {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Texts;
  readonly with?: Texts;
};
type Workflow = { readonly env?: Texts; readonly jobs: Readonly<Record<string, GithubJob>> };
type GithubJob = { readonly env?: Texts; readonly steps: readonly Step[] };
type Action = { readonly inputs: Readonly<Record<string, { default: string }>>; readonly runs: { steps: Step[] } };
type GitlabJob = { readonly script: string[]; readonly variables?: Texts; readonly artifacts?: { paths: string[] } };

/** The project in which jobs run. `variables` are the variables and secrets of the repository; `fillIn` replaces ports in scripts. */
export type Place = {
  readonly project: Project;
  readonly variables: Texts;
  readonly fillIn: (text: string) => string;
};

/** Actions that are skipped, because the project already exists and nothing is cached or uploaded. */
const idleActions = ['actions/checkout', 'actions/setup-node', 'actions/cache', 'github/codeql-action/upload-sarif'];

/** Runs the jobs of a workflow; returns their results in the order of the file. */
export async function runGithubJobs(text: string, place: Place): Promise<Ran[]> {
  const workflow: Workflow = parse(text);
  const results: Ran[] = [];
  for (const job of Object.values(workflow.jobs)) {
    const names = {
      ...prefix('vars', place.variables),
      ...prefix('secrets', place.variables),
      'github.run_id': '1',
      'github.token': 'none',
      'github.event_name': 'pull_request',
      'runner.temp': join(place.project.folder, '.runner-temp'),
    };
    results.push(await runSteps(job.steps, { ...workflow.env, ...job.env }, names, place));
  }
  return results;
}

/** Runs steps. After a failed step, only steps with `always()` run. */
async function runSteps(steps: readonly Step[], outer: Texts, given: Texts, place: Place): Promise<Ran> {
  const names: Record<string, string> = { ...given };
  let failure: Ran | undefined;
  for (const step of steps) {
    const condition = step.if ?? (failure === undefined ? 'always()' : '');
    const isDue = failure === undefined || condition.startsWith('always()');
    if (!isDue || !holds(condition, names)) continue;
    place.project.write('.github-output', '');
    const ran = await runStep(step, outer, names, place);
    if (ran.code !== 0) failure ??= { code: ran.code, output: `${step.uses ?? step.run}\n${ran.output}` };
    for (const line of readFileSync(join(place.project.folder, '.github-output'), 'utf8').split('\n')) {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) names[`steps.${step.id}.outputs.${name}`] = value ?? '';
    }
  }
  return failure ?? { code: 0, output: '' };
}

async function runStep(step: Step, outer: Texts, names: Texts, { project, variables, fillIn }: Place): Promise<Ran> {
  const { folder } = project;
  const inputs = substituteAll(step.with ?? {}, names);
  if (step.uses === './node_modules/openapi-switchyard') {
    const action: Action = parse(readFileSync(join(packageRoot(), 'action.yml'), 'utf8'));
    const unknown = Object.keys(inputs).filter((name) => !(name in action.inputs));
    if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`);
    const defaults = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [name, String(input.default)]),
    );
    const inner = { ...prefix('inputs', { ...defaults, ...inputs }), 'runner.temp': names['runner.temp'] ?? '' };
    return runSteps(action.runs.steps, substituteAll(outer, names), inner, { project, variables, fillIn });
  }
  if (step.uses?.startsWith('actions/upload-artifact@')) {
    const path = resolve(folder, inputs['path'] ?? '');
    return existsSync(path) ? { code: 0, output: '' } : { code: 1, output: `no file at ${path}` };
  }
  if (idleActions.some((name) => step.uses?.startsWith(name)) || step.run === 'npm ci') return { code: 0, output: '' };
  if (step.run === undefined) throw new Error(`this test cannot run the action ${step.uses}`);
  const env = substituteAll({ ...outer, ...step.env }, names);
  return project.run(fillIn(step.run), {
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillIn(value)])),
    PATH: variables['PATH'] ?? '',
    GITHUB_ACTIONS: 'true',
    GITHUB_BASE_REF: 'main',
    GITHUB_OUTPUT: join(folder, '.github-output'),
    GITHUB_STEP_SUMMARY: join(folder, '.github-summary'),
    RUNNER_TEMP: join(folder, '.runner-temp'),
  });
}

/** Runs the jobs of a GitLab file; returns their results in order. A job fails if its artifacts are missing. */
export async function runGitlabJobs(text: string, { project, variables, fillIn }: Place): Promise<Ran[]> {
  const file: Record<string, GitlabJob> & { default?: { before_script?: string[] } } = parse(text);
  const before = file.default?.before_script ?? [];
  const results: Ran[] = [];
  for (const { script, variables: own = {}, artifacts } of Object.values(file).filter((job) => 'script' in job)) {
    const lines = [...before, ...script].filter((line) => line !== 'npm ci');
    const env = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fillIn(String(value))]));
    const ran = await project.run(fillIn(lines.join('\n')), {
      ...variables,
      ...env,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD',
    });
    const missing = artifacts?.paths.find((path) => globSync(path, { cwd: project.folder }).length === 0);
    const isWhole = ran.code !== 0 || missing === undefined;
    results.push(isWhole ? ran : { code: 1, output: `no file at ${missing}` });
  }
  return results;
}

/** Replaces `${{ name }}`. Throws for a name without a value. */
function substitute(text: string, names: Texts): string {
  return text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name: string) => lookUp(name, names));
}

function substituteAll(values: Texts, names: Texts): Texts {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, substitute(String(value), names)]));
}

/** Evaluates a condition of `always()` and comparisons of names with texts, joined by `&&`. */
function holds(condition: string, names: Texts): boolean {
  return condition.split(' && ').every((part) => {
    if (part === 'always()') return true;
    const [, name, operator, wanted] = /^([\w.]+) (==|!=) '([^']*)'$/.exec(part) ?? [];
    if (name === undefined) throw new Error(`this test cannot evaluate the condition ${part}`);
    return (lookUp(name, names) === wanted) === (operator === '==');
  });
}

function lookUp(name: string, names: Texts): string {
  // An output is empty if its step did not run or did not write the output.
  const value = names[name] ?? (/^steps\.\w+\.outputs\./.test(name) ? '' : undefined);
  if (value === undefined) throw new Error(`this test has no value for the expression ${name}`);
  return value;
}

function prefix(start: string, values: Texts): Texts {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${start}.${name}`, value]));
}
