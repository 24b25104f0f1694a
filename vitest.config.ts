import { defineConfig } from 'vitest/config';

const settings = { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: '100%' };
const matrix = ['contract-tests/tests/fault-matrix.test.ts'];
const isolated = [
  '{contract-tests,sandbox}/tests/**/*.test.ts',
  'contract-tests/src/{supervision,targets}/**/*.test.ts',
  'generator/tests/killed-runs.test.ts',
];

/*
 * `isolated` comes first: long files, and those that start processes, replace modules or measure memory, each in a process
 * of its own. `shared` follows: many small files, whose processes keep what they import, compile and print; these tests
 * change nothing global, or restore it. `matrix` is one test on as many threads as there are cores, so it runs alone.
 */
// vitest demands a default export here.
export default defineConfig({
  test: {
    maxWorkers: settings.maxWorkers,
    projects: [
      // Within a group the projects run in the order of their names.
      { test: { ...settings, name: 'isolated', include: isolated, exclude: matrix } },
      {
        test: {
          ...settings,
          name: 'shared',
          include: ['{specs,runtime,generator,sandbox,contract-tests,scripts}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...isolated],
          isolate: false,
        },
      },
      { test: { ...settings, name: 'matrix', include: matrix, sequence: { groupOrder: 1 } } },
    ],
  },
});
