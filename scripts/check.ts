import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pMap from 'p-map';
import { runNode } from './run-node.ts';

type CheckStep = {
  readonly name: string;
  /** Each command is a script with its arguments. */
  readonly commands: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const vitest = 'node_modules/vitest/vitest.mjs run';
const tsc = 'node_modules/typescript-7/bin/tsc -p';
const knip = 'node_modules/knip/bin/knip.js --no-progress';
const switchyard = 'scripts/switchyard.ts';
const pages = 'contract-tests/tests/pages';

/** Checks that CI runs in addition to the tests. */
const checkSteps: readonly CheckStep[] = [
  // First, because it takes longest.
  { name: 'install', commands: ['contract-tests/tests/journeys/run.ts'] },
  { name: 'lint', commands: ['node_modules/@biomejs/biome/bin/biome check .'] },
  // The clients run in browsers, so their sources must compile without Node's types.
  { name: 'types', commands: [`${tsc} tsconfig.json`, `${tsc} runtime/tsconfig.json`] },
  { name: 'architecture', commands: ['scripts/tests/check-architecture.ts'] },
  { name: 'requirements', commands: ['scripts/tests/check-requirements.ts'] },
  { name: 'specs', commands: [`${switchyard} specs check`, `${switchyard} specs check --brand Acme`] },
  { name: 'unused', commands: [knip, `${knip} --production`] },
  { name: 'generated', commands: ['scripts/tests/check-generated.ts'] },
  {
    name: 'docs',
    commands: [
      'scripts/tests/check-docs.ts',
      'docs/site/configuration.ts',
      'node_modules/cspell/bin.mjs lint --no-progress --no-summary',
      `${pages}/run.ts --lint`,
    ],
  },
];

/** `npm run test:long`: tests that take too long for `npm test`. */
const longSteps: readonly CheckStep[] = [
  { name: 'client on runtimes', commands: ['contract-tests/tests/runtimes/run.ts'] },
  { name: 'client chaos', commands: ['contract-tests/tests/client-chaos/run.ts'] },
  {
    name: 'killed runs',
    commands: [`${vitest} generator/tests/killed-runs.test.ts`],
    env: { SWITCHYARD_KILLS: '400', SWITCHYARD_SEED: String(Date.now() % 100_000) },
  },
  { name: 'pairs of documents', commands: ['generator/tests/pairs/run.ts'] },
  {
    name: 'samples of random schemas',
    commands: [`${vitest} generator/tests/samples.test.ts scripts/tests/equal-failures.test.ts`],
    env: { SWITCHYARD_DOCUMENTS: '300' },
  },
  {
    name: 'budget of a live target',
    commands: [`${vitest} contract-tests/tests/live/budget.test.ts`],
    env: { SWITCHYARD_PLANS: '200', SWITCHYARD_SEED: String(Date.now() % 100_000) },
  },
  {
    name: 'variants without test hooks',
    commands: [`${vitest} contract-tests/tests/variants.test.ts`],
    env: { SWITCHYARD_ALL_VARIANTS: '1' },
  },
  { name: 'attack', commands: ['contract-tests/tests/attack/attack.ts --minutes 10'] },
  { name: 'self-check', commands: [`${switchyard} conform --self-check`] },
  { name: 'conforming servers', commands: [`${switchyard} conform --self-check --conforming 200`] },
  {
    name: 'targets and resolutions',
    commands: [`${vitest} contract-tests/tests/toolchains.test.ts generator/tests/compiled-output.test.ts`],
    env: { SWITCHYARD_ALL_TARGETS: '1' },
  },
  { name: 'baselines', commands: [`${vitest} contract-tests/tests/baseline.test.ts`], env: { BASELINES: '40' } },
  {
    name: 'statements of the documents',
    commands: [`${vitest} contract-tests/tests/derived.test.ts`],
    env: { SWITCHYARD_DERIVED_CHECKS: '60', SWITCHYARD_SEED: String(Date.now() % 100_000) },
  },
  { name: 'socket self-check', commands: ['contract-tests/tests/socket-self-check.ts'] },
  {
    name: 'second server',
    commands: [`${vitest} contract-tests/tests/second-server/gate.test.ts`],
    env: { SWITCHYARD_ALL_BUGS: '1' },
  },
  { name: 'pages', commands: [`${pages}/run.ts`] },
  { name: 'container', commands: [`${pages}/run-container.ts`] },
  { name: 'documentation site', commands: [`${pages}/run-site.ts`] },
  { name: 'bundlers', commands: ['contract-tests/tests/bundlers/run.ts'] },
  { name: 'toolchains', commands: ['contract-tests/tests/toolchains/run.ts'] },
  { name: 'install with every manager', commands: ['contract-tests/tests/journeys/run.ts --all'] },
];

/** Runs a step and reports it when it ends. */
async function runStep({ name, commands, env = {} }: CheckStep) {
  const started = performance.now();
  let output = '';
  let passed = true;
  for (const command of commands) {
    const result = await runNode(command.split(' '), { env });
    output += result.out + result.err;
    passed &&= result.code === 0;
  }
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)\n`);
  if (output !== '') process.stdout.write(output.replace(/^/gm, '     '));
  return { name, passed, seconds };
}

const isLong = process.argv.includes('--long');
const steps = isLong ? longSteps : checkSteps;
const named = steps.filter(({ name }) => process.argv.includes(name));
const results = await pMap(named.length === 0 ? steps : named, runStep, { concurrency: 2 });
const summaryFile = process.argv[process.argv.indexOf('--summary') + 1];
if (process.argv.includes('--summary') && summaryFile !== undefined) {
  mkdirSync(dirname(summaryFile), { recursive: true });
  writeFileSync(summaryFile, JSON.stringify({ steps: results }));
}
const failed = results.filter((result) => !result.passed).map((result) => result.name);
process.stdout.write(failed.length === 0 ? `all ${results.length} checks passed\n` : `failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
