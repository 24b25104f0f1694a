import { parseArgs } from 'node:util';

export type BenchOptions = {
  /** A folder in catalog form that replaces the project's own documents. */
  corpus: string | undefined;
  /** Parts to run; empty runs all. */
  only: readonly string[];
  /** Repetitions per median. */
  runs: number;
  /** Random documents in addition to the others. */
  random: number;
  /** Sample values per side of a model. */
  cases: number;
  /** Differences to print in full. */
  show: number;
  /** Every n-th fault. */
  sample: number;
  seed: number;
  json: boolean;
  /** Keeps the working folder and prints its path. */
  keep: boolean;
};
export class OptionError extends Error {}

/** Throws OptionError with a message for the terminal. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const { values } = parse(argv);
  const count = (name: keyof typeof values, otherwise: number): number => {
    const number = Number(values[name] ?? otherwise);
    if (!Number.isInteger(number) || number < 0)
      throw new OptionError(`bench: --${name} must be a whole number, got ${JSON.stringify(values[name])}`);
    return number;
  };
  return {
    corpus: values.corpus,
    only: values.only?.split(',') ?? [],
    runs: Math.max(1, count('runs', 5)),
    random: count('random', 0),
    cases: count('cases', 50),
    show: count('show', 0),
    sample: Math.max(1, count('sample', 1)),
    seed: count('seed', 1),
    json: values.json === true,
    keep: values.keep === true,
  };
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const counts = { runs: text, random: text, cases: text, show: text, sample: text, seed: text };
  try {
    return parseArgs({ args: [...argv], options: { corpus: text, only: text, ...counts, json: flag, keep: flag } });
  } catch (error) {
    throw new OptionError(`bench: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export const usage = (subjects: readonly string[]): string => `npm run bench -- [${subjects.join(' | ')}] [options]

Without a subject, all of them run.

  --corpus DIR   documents in catalog form (catalog.json, models/<provider>/<model>/openapi.json)
  --only A,B     parts of a subject, or tools to compare
  --runs N       repetitions behind each median (5)
  --json         the tables as JSON
  --random N     fidelity: random documents in addition (0)
  --cases N      fidelity: sample values per side of a model at most (50)
  --show N       fidelity: print N models with differences in full
  --sample N     gate: every N-th fault and variant only (1)
  --seed N       fidelity: seed of the random documents (1)
  --keep         keep the working folder`;
