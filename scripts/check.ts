import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import pMap from 'p-map';
import { runNode } from './run-node.ts';

type CheckStep = {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
};
type StepResult = {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
};

const vitest = 'node_modules/vitest/vitest.mjs';
const tsc = 'node_modules/typescript-7/bin/tsc';
const knip = 'node_modules/knip/bin/knip.js';

/** What CI runs beside the tests. */
const checkSteps: readonly CheckStep[] = [
  { name: 'lint', commands: [['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']] },
  {
    name: 'types',
    // The clients run in browsers: their sources compile without the types of Node.
    commands: ['tsconfig.json', 'runtime/tsconfig.json'].map((file) => [tsc, '-p', file]),
  },
  { name: 'architecture', commands: [['scripts/tests/architecture/check-architecture.ts']] },
  { name: 'requirements', commands: [['scripts/tests/check-requirements.ts']] },
  {
    name: 'specs',
    commands: [
      ['scripts/switchyard.ts', 'specs', 'check'],
      ['scripts/switchyard.ts', 'specs', 'check', '--brand', 'Acme'],
    ],
  },
  {
    name: 'unused',
    commands: [
      [knip, '--no-progress'],
      [knip, '--no-progress', '--production'],
    ],
  },
  { name: 'generated', commands: [['scripts/tests/check-generated.ts']] },
  { name: 'install', commands: [['contract-tests/tests/journeys/run.ts']] },
  {
    name: 'docs',
    commands: [
      ['scripts/tests/check-docs.ts'],
      ['docs/site/configuration.ts'],
      ['node_modules/cspell/bin.mjs', 'lint', '--no-progress', '--no-summary'],
      ['contract-tests/tests/pages/run-ci-page.ts', '--lint'],
      ['contract-tests/tests/pages/run-recipe-types.ts'],
    ],
  },
];

/** `npm run test:long`: what takes longer than `npm test` may. */
const longSteps: readonly CheckStep[] = [
  { name: 'soak', commands: [['contract-tests/tests/soak/run.ts']] },
  { name: 'client on runtimes', commands: [['contract-tests/tests/runtimes/run.ts']] },
  { name: 'client chaos', commands: [['contract-tests/tests/client-chaos/run.ts']] },
  {
    name: 'killed runs',
    commands: Array.from({ length: 5 }, () => [vitest, 'run', 'generator/tests/killed-runs.test.ts']),
    env: { SWITCHYARD_KILLS: '200' },
  },
  { name: 'pairs of documents', commands: [['generator/tests/pairs/run.ts']] },
  { name: 'budget of a live target', commands: [['contract-tests/tests/live/run.ts']] },
  {
    name: 'variants without test hooks',
    commands: [[vitest, 'run', 'contract-tests/tests/variants.test.ts']],
    env: { SWITCHYARD_ALL_VARIANTS: '1' },
  },
  { name: 'attack', commands: [['contract-tests/tests/attack/attack.ts']] },
  { name: 'self-check', commands: [['scripts/switchyard.ts', 'conform', '--self-check']] },
  {
    name: 'conforming servers',
    commands: [['scripts/switchyard.ts', 'conform', '--self-check', '--conforming', '500']],
  },
  {
    name: 'statements of the documents',
    commands: [[vitest, 'run', 'contract-tests/tests/derived.test.ts']],
    env: { SWITCHYARD_DERIVED_CHECKS: '10000' },
  },
  { name: 'socket self-check', commands: [['contract-tests/tests/socket-self-check.ts']] },
  { name: 'second server', commands: [['contract-tests/tests/second-server/trial.ts']] },
  { name: 'container', commands: [['contract-tests/tests/pages/run-container.ts']] },
  {
    name: 'command lines of the pages',
    commands: [['contract-tests/tests/pages/run-commands.ts']],
  },
  { name: 'documentation site', commands: [['contract-tests/tests/pages/run-site.ts']] },
  { name: 'picture of the README', commands: [['contract-tests/tests/pages/make-picture.ts', '--check']] },
  { name: 'tutorial', commands: [['contract-tests/tests/pages/run-tutorial.ts']] },
  { name: 'CI page', commands: [['contract-tests/tests/pages/run-ci-page.ts']] },
  { name: 'bundlers', commands: [['contract-tests/tests/bundlers/run.ts']] },
  {
    name: 'install with every manager',
    commands: [['contract-tests/tests/journeys/run.ts', '--all']],
  },
];

async function runStep(step: CheckStep): Promise<StepResult> {
  const started = performance.now();
  let output = '';
  let passed = true;
  for (const command of step.commands) {
    const result = await runNode(command, { env: step.env ?? {} });
    output += result.out + result.err;
    passed &&= result.code === 0;
  }
  return { name: step.name, passed, seconds: (performance.now() - started) / 1000, output };
}

/** Runs a step and reports it when it ends. */
async function reportStep(step: CheckStep): Promise<StepResult> {
  const result = await runStep(step);
  process.stdout.write(`${result.passed ? 'ok  ' : 'FAIL'} ${result.name} (${result.seconds.toFixed(1)} s)\n`);
  if (result.output !== '') process.stdout.write(result.output.replace(/^/gm, '     '));
  return result;
}

const isLong = process.argv.includes('--long');
const steps = isLong ? longSteps : checkSteps;
const named = steps.filter(({ name }) => process.argv.includes(name));
const results = await pMap(named.length === 0 ? steps : named, reportStep, { concurrency: 2 });
const summaryFile = process.argv[process.argv.indexOf('--summary') + 1];
if (process.argv.includes('--summary') && summaryFile !== undefined) {
  mkdirSync(dirname(summaryFile), { recursive: true });
  writeFileSync(
    summaryFile,
    JSON.stringify({ steps: results.map(({ name, passed, seconds }) => ({ name, passed, seconds })) }),
  );
}
const failed = results.filter((result) => !result.passed).map((result) => result.name);
process.stdout.write(failed.length === 0 ? `all ${results.length} checks passed\n` : `failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
