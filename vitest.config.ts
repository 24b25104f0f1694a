import { defineConfig } from 'vitest/config';

// vitest demands a default export here.
export default defineConfig({
  test: {
    include: ['{specs,runtime,generator,sandbox,contract-tests,scripts}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
