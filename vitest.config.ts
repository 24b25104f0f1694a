import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 30_000, hookTimeout: 30_000 };
/** Tests of pure code and of servers in the process: many small files, which share what they import. */
const light = [
  '{specs,sandbox,generator}/src/**/*.test.ts',
  'runtime/tests/**/*.test.ts',
  'contract-tests/src/{definitions,passive,report,rules}/**/*.test.ts',
];

// vitest demands a default export here.
export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'light', include: light, isolate: false } },
      {
        test: {
          ...shared,
          name: 'whole',
          include: ['{specs,runtime,generator,sandbox,contract-tests,scripts}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...light],
        },
      },
    ],
  },
});
