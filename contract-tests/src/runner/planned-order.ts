import type { TestSequencer, TestSpecification } from 'vitest/node';

/** Suites in the order in which they were named: rules over the whole run come last. The runner wants a class. */
export class InPlannedOrder implements TestSequencer {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    return files.toSorted((one, other) => lateness(one) - lateness(other));
  }
}

function lateness({ moduleId }: TestSpecification): number {
  return /\/(?:passive|trace)\.suite\.[jt]s$/.test(moduleId) ? 1 : 0;
}
