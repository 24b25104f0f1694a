import { parseArgs } from 'node:util';

export type BenchOptions = {
  /** A folder in catalog form that replaces the project's own documents. */
  corpus: string | undefined;
  json: boolean;
  /** Disagreements to print in full. */
  show: number;
  /** Cases per side of a model. */
  cases: number;
  /** Every n-th fault. */
  sample: number;
  /** Repetitions per median. */
  runs: number;
  /** Seed of everything random. */
  seed: number;
  /** Random documents added to the fixtures. */
  random: number;
  /** Keeps the working folder and prints its path. */
  keep: boolean;
  /** A checkout of the JSON Schema test suite. */
  suite: string | undefined;
  /** Parts to run; empty runs all. */
  only: readonly string[];
};
export class OptionError extends Error {}

/** Throws OptionError with a message for the terminal. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const { values } = parse(argv);
  return {
    corpus: values.corpus,
    json: values.json === true,
    show: readCount('show', values.show ?? '0'),
    cases: readCount('cases', values.cases ?? '50'),
    sample: Math.max(1, readCount('sample', values.sample ?? '1')),
    runs: readCount('runs', values.runs ?? '5'),
    seed: readCount('seed', values.seed ?? '1'),
    random: readCount('random', values.random ?? (values.corpus === undefined ? '150' : '0')),
    keep: values.keep === true,
    suite: values.suite,
    only: values.only?.split(',') ?? [],
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        corpus: { type: 'string' },
        json: { type: 'boolean' },
        show: { type: 'string' },
        cases: { type: 'string' },
        sample: { type: 'string' },
        runs: { type: 'string' },
        seed: { type: 'string' },
        random: { type: 'string' },
        keep: { type: 'boolean' },
        only: { type: 'string' },
        suite: { type: 'string' },
      },
    });
  } catch (error) {
    throw new OptionError(`bench: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0)
    throw new OptionError(`bench: --${name} takes a whole number, not ${text}`);
  return count;
}

export function usage(names: readonly string[]): string {
  return [
    `npm run bench <${names.join(' | ')}> -- [options]`,
    '',
    '  --corpus DIR   documents in catalog form (catalog.json, models/<provider>/<model>/openapi.json)',
    '  --json         the figures as JSON',
    '  --runs N       repetitions behind each median (5)',
    '  --only A,B     parts of the bench',
    '  --show N       fidelity, validate: print N disagreements in full',
    '  --cases N      fidelity: questions per side of a model at most (50)',
    '  --random N     fidelity: random documents beside the fixtures (150; 0 with --corpus)',
    '  --sample N     gate: every N-th fault and variant only (1)',
    '  --seed N       of the random documents, schemas and values (1)',
    '  --suite DIR    validate: a checkout of the JSON Schema test suite',
    '  --keep         keep the working folder',
  ].join('\n');
}
