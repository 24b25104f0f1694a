import { parseArgs } from 'node:util';

export type BenchOptions = {
  /** A folder in catalog form that replaces the project's own documents. */
  corpus: string | undefined;
  /** Parts of a subject or tools to run; empty runs all of them. */
  only: readonly string[];
  /** Number of measurements for each median. */
  runs: number;
  /** Number of random documents to check in addition to the others. */
  random: number;
  /** Maximum number of sample values for the input or output of a model. */
  cases: number;
  /** Number of models whose differences are printed in full. */
  show: number;
  /** Checks only every n-th fault and variant. */
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

Without a subject, the bench runs all subjects.

  --corpus DIR   documents in catalog form (catalog.json, models/<provider>/<model>/openapi.json)
  --only A,B     parts of a subject, or tools to compare
  --runs N       measurements for each median (5)
  --json         print the tables as JSON
  --random N     fidelity: number of additional random documents (0)
  --cases N      fidelity: maximum number of sample values per input or output (50)
  --show N       fidelity: print the differences of N models in full (0)
  --sample N     gate: check only every N-th fault and variant (1)
  --seed N       fidelity: seed of the random documents (1)
  --keep         keep the working folder`;
