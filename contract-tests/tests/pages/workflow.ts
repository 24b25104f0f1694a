import { parse } from 'yaml';

/** A step of a GitHub workflow: a script, or an action that only GitHub runs. */
export type Step = {
  readonly id: string | undefined;
  readonly condition: string | undefined;
  readonly uses: string | undefined;
  readonly run: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly with: Readonly<Record<string, string>>;
};
/** One job with one choice of its matrix. */
export type Job = {
  readonly name: string;
  /** The jobs before it. */
  readonly needs: readonly string[];
  /** Whether it runs when one of them failed. */
  readonly always: boolean;
  readonly matrix: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};

type Yaml = { readonly [key: string]: unknown };

/** The jobs of a workflow file, once for each value of a matrix of one dimension. */
export function workflowJobs(text: string): Job[] {
  const workflow = toObject(parse(text));
  return Object.entries(toObject(workflow['jobs'])).flatMap(([name, value]) => {
    const job = toObject(value);
    const matrix = toObject(toObject(job['strategy'])['matrix']);
    const env = { ...toTexts(workflow['env']), ...toTexts(job['env']) };
    const steps = toList(job['steps']).map(readStep);
    const needs = toList(job['needs']).map(String);
    const { if: condition } = job;
    // Which event starts a job is the choice of a walk.
    if (!/^(?:undefined|always\(\)|github\.event_name [!=]= '\w+')$/.test(String(condition)))
      throw new Error(`${condition} of a job is not read here`);
    const always = condition === 'always()';
    return listChoices(matrix).map((choice) => ({ name, needs, always, matrix: choice, env, steps }));
  });
}

/** A composite action: its inputs with their defaults, and its steps. */
export function compositeAction(text: string): { inputs: Names; steps: readonly Step[] } {
  const action = toObject(parse(text));
  const inputs = Object.entries(toObject(action['inputs'])).map(([name, input]) => {
    const { description, default: value } = toObject(input);
    if (description === undefined || value === undefined)
      throw new Error(`the input ${name} needs description and default`);
    return [name, String(value)];
  });
  return { inputs: Object.fromEntries(inputs), steps: toList(toObject(action['runs'])['steps']).map(readStep) };
}

/**
 * Expressions in scripts: GitHub puts their values into the text of the script, where they become code. Each is named with its
 * script; values go through `env`.
 */
export function injections(steps: readonly Step[]): string[] {
  return steps.flatMap(({ run = '' }) => (run.includes('${{') ? [`an expression in the script ${run.trim()}`] : []));
}

/** A job of a GitLab file, with the scripts that run before it. `parallel`: how many machines run it. */
export type GitlabJob = {
  readonly name: string;
  readonly needs: readonly string[];
  readonly parallel: number;
  readonly variables: Names;
  readonly script: readonly string[];
  readonly artifacts: readonly string[];
};

export function gitlabJobs(text: string): GitlabJob[] {
  const file = toObject(parse(text));
  const before = toList(toObject(file['default'])['before_script']).map(String);
  return Object.entries(file).flatMap(([name, value]) => {
    const { script, artifacts, needs, variables, parallel = 1 } = toObject(value);
    if (script === undefined) return [];
    return {
      name,
      needs: toList(needs).map(String),
      parallel: Number(parallel),
      variables: toTexts(toObject(variables)),
      script: [...before, ...toList(script).map(String)],
      artifacts: toList(toObject(artifacts)['paths']).map(String),
    };
  });
}

/** Each job that no other waits for, after the jobs that it needs. */
export function listChains<T extends { readonly name: string; readonly needs: readonly string[] }>(
  jobs: readonly T[],
): (readonly [...T[], T])[] {
  const needed = new Set(jobs.flatMap(({ needs }) => needs));
  return jobs
    .filter(({ name }) => !needed.has(name))
    .map((last) => [...jobs.filter(({ name }) => last.needs.includes(name)), last]);
}

function readStep(value: unknown): Step {
  const step = toObject(value);
  const { id, uses, run } = step;
  const text = (one: unknown): string | undefined => (one === undefined ? undefined : String(one));
  const { if: condition } = step;
  return {
    id: text(id),
    condition: text(condition),
    uses: text(uses),
    run: text(run),
    env: toTexts(step['env']),
    with: toTexts(step['with']),
  };
}

function listChoices(matrix: Yaml): Record<string, string>[] {
  const [first, second] = Object.entries(matrix);
  if (second !== undefined) throw new Error('a matrix of two dimensions is not read here');
  return first === undefined ? [{}] : toList(first[1]).map((value) => ({ [first[0]]: String(value) }));
}

/** What expressions may name, such as `secrets.KEY` or `steps.drift.outputs.found`. */
export type Names = Readonly<Record<string, string>>;

/** Replaces `${{ name }}`. Throws for a name without a value. */
export function substitute(text: string, names: Names): string {
  return text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name: string) => lookUp(name, names));
}

/** Reads the conditions that the pages use: `always()`, and names compared with texts, joined by `&&`. */
export function holds(condition: string | undefined, names: Names): boolean {
  return (condition ?? 'always()').split(' && ').every((part) => {
    if (part === 'always()') return true;
    const [, name, operator, wanted] = /^([\w.]+) (==|!=) '([^']*)'$/.exec(part) ?? [];
    if (name === undefined) throw new Error(`the condition ${part} is not read here`);
    return (lookUp(name, names) === wanted) === (operator === '==');
  });
}

function lookUp(name: string, names: Names): string {
  // A step that did not run, or did not write it, has an empty output.
  const value = names[name] ?? (/^steps\.\w+\.outputs\./.test(name) ? '' : undefined);
  if (value === undefined) throw new Error(`the expression ${name} has no value here`);
  return value;
}

function toObject(value: unknown): Yaml {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function toTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(toObject(value)).map(([name, one]) => [name, String(one)]));
}
