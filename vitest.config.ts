import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The processes of a run share what each would make again from sources, such as the transpiled runtime.
const madeTexts = mkdtempSync(join(tmpdir(), 'switchyard-texts-'));
process.once('exit', () => rmSync(madeTexts, { recursive: true, force: true }));

const settings = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Many tests wait for processes and sockets.
  maxWorkers: availableParallelism() + 1,
  // Hundreds of child processes load the same modules.
  env: {
    NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/tests'),
    SWITCHYARD_TEST_TEXTS: madeTexts,
  },
};
const isolated = [
  'contract-tests/tests/fault-matrix.test.ts',
  'contract-tests/src/{record,targets}/**/*.test.ts',
  'generator/tests/killed-runs.test.ts',
  'sandbox/tests/**/*.test.ts',
];
const long = ['contract-tests/tests/**/*.test.ts', 'generator/tests/**/*.test.ts'];

/*
 * The files of `isolated` start processes or threads, replace modules or measure memory: each has a process of its own. The files of
 * `long` and `short` share a process with what it imported, compiled and printed: they change nothing global, or restore it.
 */
// vitest demands a default export here.
export default defineConfig({
  test: {
    maxWorkers: settings.maxWorkers,
    // They start in the order of their names.
    projects: [
      { test: { ...settings, name: 'isolated', include: isolated } },
      {
        test: {
          ...settings,
          name: 'long',
          include: long,
          exclude: isolated,
          isolate: false,
          maxConcurrency: 20,
        },
      },
      {
        test: {
          ...settings,
          name: 'short',
          include: ['{specs,runtime,generator,sandbox,contract-tests,scripts}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...isolated, ...long],
          isolate: false,
          maxConcurrency: 20,
        },
      },
    ],
  },
});
