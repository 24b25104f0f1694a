import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { namedBlock } from './code-blocks.ts';
import { deploy } from './deployment.ts';
import { makeProject, type Project } from './project.ts';

/** The editor and the terminal of a user who follows the tutorial with a server that has a fault. */
export type Session = {
  readonly file: string;
  readonly program: string;
  /** Position of the compiler's error, counted from 1, and its message. */
  readonly mistake: { readonly line: number; readonly column: number; readonly says: string };
  readonly steps: readonly Step[];
};
export type Step = { readonly command: string; readonly output: readonly string[] };

const tutorial = 'docs/tutorial.md';
const file = 'harbour.ts';
const address = 'https://router.example';

/** Runs the commands in a temporary folder. In their output, replaces the address of the server and the path of the folder. */
export async function recordSession(): Promise<Session> {
  const deployment = await deploy(['catalog.entry.billing-with-price']);
  const project = makeProject();
  const environment = { ...deployment.environment, npm_config_loglevel: 'error' };
  const run = async (command: string): Promise<Step> => {
    const { output } = await project.run(command.replaceAll(address, deployment.url), environment);
    const shown = output.replaceAll(deployment.url, address).replaceAll(`${project.folder}/`, '');
    return { command, output: shown.trimEnd().split('\n') };
  };
  try {
    prepare(project);
    const program = namedBlock(tutorial, file)
      .text.replace(/^\/\/.*\n/, '')
      .replace('prompt:', 'promt:');
    project.write(file, program);
    await run(`npx openapi-switchyard init --router-url ${address} --yes`);
    const generated = await run('npx openapi-switchyard generate');
    const compiled = await run('npx tsc');
    const checked = await run(`npx openapi-switchyard conform --router-url ${address}`);
    const [, line, column, says = ''] = /^harbour\.ts\((\d+),(\d+)\): error (.+)$/.exec(compiled.output[0] ?? '') ?? [];
    if (says === '') throw new Error(`the compiler does not report the mistake: ${compiled.output.join('\n')}`);
    const mistake = { line: Number(line), column: Number(column), says };
    return { file, program, mistake, steps: [keep(generated, /^(?:models|files) /), keep(checked, importantLines)] };
  } finally {
    project.close();
    await deployment.close();
  }
}

/** The most important lines of a check; the picture has an ellipsis for other lines. */
const importantLines = /^(?:\d+\. | +failed | +(?:MR-|expected |actual |curl )|\d+ of \d+ checked|report:)/;

function keep({ command, output }: Step, wanted: RegExp): Step {
  const kept = output.flatMap((line, index) => {
    if (wanted.test(line)) return [line];
    return index > 0 && wanted.test(output[index - 1] ?? '') && index < output.length - 1 ? ['…'] : [];
  });
  if (kept.every((line) => line === '…')) throw new Error(`${command} prints: ${output.join('\n')}`);
  return { command, output: kept };
}

/** Sets up the files that `npm install` in the tutorial would install. */
function prepare(project: Project): void {
  project.write('tsconfig.json', namedBlock(tutorial, 'tsconfig.json').text.replace(/^\/\/.*\n/, ''));
  const installed = join(packageRoot(), 'node_modules');
  for (const name of ['@types', 'typescript'])
    symlinkSync(join(installed, name), join(project.folder, 'node_modules', name));
  symlinkSync('../typescript/bin/tsc', join(project.folder, 'node_modules/.bin/tsc'));
}
