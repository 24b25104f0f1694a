import fc from 'fast-check';

export type AttackOptions = {
  readonly seed: number;
  /** The counterexample to repeat, as an earlier report printed it. */
  readonly path?: string;
  /** No case starts after this time of `performance.now()`. */
  readonly until: number;
  /** An empty folder of this attack. */
  readonly folder: string;
};

export type AttackResult = {
  /** Cases that ran before the deadline. */
  readonly cases: number;
  readonly planned: number;
  readonly failure?: { readonly path: string; readonly problem: string };
};

type Property<T> = {
  readonly runs: number;
  readonly cases: fc.Arbitrary<T>;
  /** Run first, before random cases. */
  readonly named?: readonly T[];
  readonly describe: (one: T) => string;
  /** Returns what is wrong; nothing when the promises hold. */
  readonly check: (one: T) => Promise<readonly string[]>;
};

/** Checks named and random cases up to the deadline, and shrinks the first one that breaks a promise. */
export async function checkProperty<T>(
  { seed, path, until }: AttackOptions,
  { runs, cases, named = [], describe, check }: Property<T>,
): Promise<AttackResult> {
  let count = 0;
  const property = fc.asyncProperty(cases, async (one) => {
    if (performance.now() > until) return;
    count += 1;
    const problems = await check(one);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  const result = await fc.check(property, {
    seed,
    ...(path === undefined ? {} : { path }),
    numRuns: named.length + runs,
    examples: named.map((one): [T] => [one]),
  });
  const planned = named.length + runs;
  if (!result.failed) return { cases: count, planned };
  const [one] = result.counterexample ?? [];
  const subject = one === undefined ? '' : `${describe(one).slice(0, 2_000)}\n`;
  const problem = `${subject}${String(result.errorInstance)}`;
  return { cases: count, planned, failure: { path: result.counterexamplePath ?? '', problem } };
}
