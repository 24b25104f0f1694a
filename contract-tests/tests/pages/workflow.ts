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
  readonly matrix: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
};

type Yaml = { readonly [key: string]: unknown };

/** The jobs of a workflow file, once for each value of a matrix of one dimension. */
export function workflowJobs(text: string): Job[] {
  const workflow = objectOf(parse(text));
  return Object.entries(objectOf(workflow['jobs'])).flatMap(([name, value]) => {
    const job = objectOf(value);
    const matrix = objectOf(objectOf(job['strategy'])['matrix']);
    const env = { ...textsOf(workflow['env']), ...textsOf(job['env']) };
    const steps = listOf(job['steps']).map(readStep);
    return choicesOf(matrix).map((choice) => ({ name, matrix: choice, env, steps }));
  });
}

/** The scripts of each job of a GitLab file, with those that run before. */
export function gitlabScripts(
  text: string,
): { name: string; before: string[]; script: string[]; artifacts: string[] }[] {
  const file = objectOf(parse(text));
  const before = listOf(objectOf(file['default'])['before_script']).map(String);
  return Object.entries(file).flatMap(([name, value]) => {
    const { script, artifacts } = objectOf(value);
    const kept = listOf(objectOf(artifacts)['paths']).map(String);
    return script === undefined ? [] : [{ name, before, script: listOf(script).map(String), artifacts: kept }];
  });
}

function readStep(value: unknown): Step {
  const step = objectOf(value);
  const { id, uses, run } = step;
  const text = (one: unknown): string | undefined => (one === undefined ? undefined : String(one));
  const { if: condition } = step;
  return {
    ...{ id: text(id), condition: text(condition), uses: text(uses), run: text(run) },
    env: textsOf(step['env']),
    with: textsOf(step['with']),
  };
}

function choicesOf(matrix: Yaml): Record<string, string>[] {
  const [first, second] = Object.entries(matrix);
  if (second !== undefined) throw new Error('a matrix of two dimensions is not read here');
  return first === undefined ? [{}] : listOf(first[1]).map((value) => ({ [first[0]]: String(value) }));
}

/** What expressions may name, such as `secrets.KEY` or `steps.drift.outputs.found`. */
export type Names = Readonly<Record<string, string>>;

/** Replaces `${{ name }}`. Throws for a name without a value. */
export function substitute(text: string, names: Names): string {
  return text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name: string) => lookUp(name, names));
}

/** Reads the conditions that the pages use: `always()`, and a name compared with a text. */
export function holds(condition: string | undefined, names: Names): boolean {
  if (condition === undefined || condition === 'always()') return true;
  const [, name, wanted] = /^([\w.]+) == '([^']*)'$/.exec(condition) ?? [];
  if (name === undefined) throw new Error(`the condition ${condition} is not read here`);
  return lookUp(name, names) === wanted;
}

function lookUp(name: string, names: Names): string {
  const value = names[name];
  if (value === undefined) throw new Error(`the expression ${name} has no value here`);
  return value;
}

function objectOf(value: unknown): Yaml {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, one]) => [name, String(one)]));
}
