import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

type Step = { readonly name: string; readonly commands: readonly (readonly string[])[] };
type StepResult = {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
};

const node = process.execPath;
const script = (file: string, ...more: string[]): readonly string[] => [node, file, ...more];

/** What CI runs beside the tests. */
const steps: readonly Step[] = [
  { name: 'lint', commands: [script('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.')] },
  { name: 'types', commands: [script('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.json')] },
  { name: 'architecture', commands: [script('scripts/check-architecture.ts')] },
  { name: 'requirements', commands: [script('scripts/check-requirements.ts')] },
  {
    name: 'specs',
    commands: [
      script('scripts/switchyard.ts', 'specs', 'check'),
      script('scripts/switchyard.ts', 'specs', 'check', '--brand', 'Acme'),
    ],
  },
  { name: 'unused', commands: [script('node_modules/knip/bin/knip.js', '--no-progress')] },
  { name: 'generated', commands: [script('scripts/check-generated.ts')] },
  { name: 'lifecycles', commands: [script('scripts/check-lifecycles.ts')] },
  { name: 'packages', commands: [script('scripts/check-packages.ts')] },
  { name: 'docs', commands: [script('scripts/check-docs.ts')] },
];

function runCommand(command: readonly string[]): Promise<{ code: number; output: string }> {
  const [file = node, ...rest] = command;
  return new Promise((done) => {
    let output = '';
    const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', (error) => done({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}

async function runStep(step: Step): Promise<StepResult> {
  const started = performance.now();
  let output = '';
  let passed = true;
  for (const command of step.commands) {
    const result = await runCommand(command);
    output += result.output;
    passed &&= result.code === 0;
  }
  return { name: step.name, passed, seconds: (performance.now() - started) / 1000, output };
}

/** Steps two at a time, reported in their order of completion. */
async function runSteps(): Promise<StepResult[]> {
  const waiting = [...steps];
  const results: StepResult[] = [];
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const result = await runStep(step);
      results.push(result);
      process.stdout.write(`${result.passed ? 'ok  ' : 'FAIL'} ${result.name} (${result.seconds.toFixed(1)} s)\n`);
      if (!result.passed) process.stdout.write(result.output.replace(/^/gm, '     '));
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

const results = await runSteps();
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
