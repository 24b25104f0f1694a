/** A command line of the pages that is not executed from its page; `*` stands for the rest of a line. */
export type Exception = { readonly text: string; readonly reason: string };

const engine = 'needs a container engine; run-container.ts runs the image where one works';
const registry = 'installs from a package registry';
const long = 'takes minutes to hours';
const own = 'a step of `npm run test:long` or `npm run check`, which runs it';

export const exceptions: readonly Exception[] = [
  { text: 'docker *', reason: engine },
  { text: 'mitmdump *', reason: 'needs mitmproxy' },
  { text: 'HTTPS_PROXY=*', reason: 'goes through mitmproxy' },
  { text: 'npm install *', reason: registry },
  { text: 'npm sbom *', reason: 'writes into the repository' },
  { text: 'npx changeset *', reason: 'asks, and reads the history of the repository' },
  { text: 'npm run check && npm test', reason: long },
  { text: 'npm test', reason: long },
  { text: 'npm test -- sandbox', reason: long },
  { text: 'npm test -- contract-tests', reason: long },
  { text: 'npm test -- specs/models', reason: 'a part of `npm test`' },
  { text: 'npm run check', reason: 'CI runs it' },
  { text: 'npm run check -- types', reason: 'a part of `npm run check`' },
  { text: 'npm run test:long', reason: 'what runs this' },
  { text: 'npm run bench *', reason: long },
  { text: 'npm run attack', reason: long },
  { text: 'npm run attack -- --cases *', reason: long },
  { text: 'npm run attack -- --only documents *', reason: long },
  { text: 'npm run attack -- --root *', reason: 'needs another checkout, and takes an hour' },
  { text: 'node scripts/set-up.mjs generator/tests/pairs/run.ts *', reason: own },
  { text: 'node scripts/set-up.mjs contract-tests/tests/second-server/trial.ts *', reason: own },
  { text: 'node scripts/set-up.mjs contract-tests/tests/soak/run.ts *', reason: own },
  { text: 'node scripts/set-up.mjs contract-tests/tests/pages/run-*', reason: own },
  { text: 'npm run docs *', reason: own },
  { text: 'node scripts/set-up.mjs contract-tests/tests/pages/make-picture.ts', reason: own },
  { text: 'node scripts/set-up.mjs contract-tests/tests/bundlers/run.ts', reason: own },
  { text: 'node scripts/set-up.mjs contract-tests/tests/journeys/run.ts *', reason: own },
  { text: 'npx openapi-switchyard conform --self-check*', reason: own },
];

/** Blocks that a script runs as a whole, by their names. */
export const wholeBlocks: readonly { readonly page: string; readonly names: RegExp }[] = [
  { page: 'docs/how-to/ci-other-systems.md', names: /\.sh$/ },
  { page: 'docs/how-to/generate-in-a-bundler.md', names: /^next\.sh$/ },
  { page: 'README.md', names: /^/ },
  { page: 'docs/tutorial.md', names: /^/ },
  { page: 'docs/how-to/release-packages.md', names: /^/ },
];

export function exceptionFor(text: string): Exception | undefined {
  return exceptions.find((one) =>
    one.text.endsWith('*') ? `${text} `.startsWith(one.text.slice(0, -1)) : one.text === text,
  );
}
