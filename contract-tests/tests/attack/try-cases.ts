import fc from 'fast-check';

/** The seed, the time limit, and optionally the path of a counterexample to repeat. */
export type AttackTime = Pick<fc.Parameters, 'seed' | 'path' | 'interruptAfterTimeLimit'>;

type Cases<T> = {
  readonly cases: fc.Arbitrary<T>;
  /** Tried before random cases. */
  readonly named?: readonly T[];
  /** Returns the problems; an empty list if all promises hold. */
  readonly check: (one: T) => Promise<readonly string[]>;
};

/** Tries named and random cases until the time is over, and shrinks the first one that breaks a promise. */
export function tryCases<T>(time: AttackTime, { cases, named = [], check }: Cases<T>): Promise<fc.RunDetails<[T]>> {
  const property = fc.asyncProperty(cases, async (one) => {
    const problems = await check(one);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  return fc.check(property, { ...time, numRuns: 1_000_000, examples: named.map((one): [T] => [one]) });
}
