import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generate, namePackages, nodePorts } from '../../../generator/src/index.ts';
import { configureGeneration, type ServedSandbox } from '../../../scripts/tests/with-sandbox.ts';

const run = promisify(execFile);

/** A row of the table on the page about platforms. */
export type MatrixRow = {
  readonly module: string;
  readonly moduleResolution: string;
  readonly type: 'module' | 'commonjs';
  /** The first and the last version of TypeScript in the row. */
  readonly versions: readonly [from: number, to: number];
  /** The compiler's error; undefined if the project compiles. */
  readonly error: string | undefined;
  /** True if Node runs the compiled project. */
  readonly runs: boolean;
};

/** Reads the rows of the page, such as ``| `esnext` | `bundler` | ES modules | 5.4 to 7.0 | yes | yes |``. */
export function readMatrix(page: string): MatrixRow[] {
  const rows = page.split('\n').filter((line) => /^\| `\w+` \| `\w+` \|/.test(line));
  return rows.map((line) => {
    const [module = '', moduleResolution = '', type, versions = '', compiles = '', runs] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    const [from = Number.NaN, to = from] = versions.split(' to ').map(Number);
    const error = compiles === 'yes' ? undefined : compiles;
    const kind = type === 'ES modules' ? 'module' : 'commonjs';
    return { module, moduleResolution, type: kind, versions: [from, to], error, runs: runs === 'yes' };
  });
}

/** Source of a project that imports packages, and checks that results have the types of the model even without strict checks. */
const consumer = `
import { createModelRouter, RouterError, fieldErrors, safe, type Models } from '@acme/model-router';
import { findAssets } from '@acme/model-router/assets';
import { submit, subscribe } from '@acme/model-router/queue';
import { createWorkflowExecution } from '@acme/workflow-execution';
import { model, validateInput, type Input, type Output } from '@acme/models/image-provider/composite_layers';

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
type IsStream<T> = T extends { getReader(): unknown } ? true : false;

export const input: Input = { canvas: { width: 8, height: 8 }, layers: [{ kind: 'caption', words: 'a boat' }] };
export const byId: Models['image-provider/composite_layers']['input'] = input;

export async function use(): Promise<unknown> {
  const router = createModelRouter({ baseUrl: 'http://localhost:1', apiKey: 'k' });
  const { data } = await router.run(model, input);
  const isOutput: Equal<typeof data, Output> = true;
  const byName = await router.run('image-provider/composite_layers', input, { validate: validateInput });
  const isSame: Equal<typeof byName.data, Output> = true;
  const streamed = await router.run(model, input, { as: 'stream' });
  const isStream: IsStream<typeof streamed.data> = true;
  const handle = await submit(router, model, input);
  const queued = await handle.result();
  const isQueued: Equal<typeof queued.data, Output> = true;
  const subscribed = await subscribe(router, model, input);
  const isSubscribed: Equal<typeof subscribed.data, Output> = true;
  const settled = await safe(router.run(model, input));
  const kind = settled.ok ? undefined : settled.error.kind;
  const strict = await router.run(model, { anything: 1 }, { modelProvider: 'x', strictMode: true });
  const isOpen: Equal<typeof strict.data, unknown> = true;
  const checked = validateInput({});
  if (!checked.valid) fieldErrors(checked.detail);
  // @ts-expect-error a canvas is an object
  await router.run(model, { canvas: 3 });
  const job = await createWorkflowExecution({ baseUrl: 'http://localhost:1', token: 't' }).getJobWorkflow('j');
  return [isOutput, isSame, isStream, isQueued, isSubscribed, isOpen, kind, job.format, findAssets, RouterError];
}
export const loaded = [typeof createModelRouter, typeof createWorkflowExecution, model.id].join(' ');
`;

/** Writes a project of each type to a folder, whose `node_modules` has the packages. */
export async function writeProjects(folder: string, served: ServedSandbox): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const places = { outDir: join(folder, 'out'), cacheDir: join(folder, 'cache') };
  const config = configureGeneration(served, places, 'write');
  await generate({ ...config, packageNames: namePackages('@acme') }, nodePorts());
  cpSync(places.outDir, join(folder, 'node_modules/@acme'), { recursive: true });
  for (const type of ['module', 'commonjs']) {
    mkdirSync(join(folder, type), { recursive: true });
    writeFileSync(join(folder, type, 'package.json'), JSON.stringify({ name: type, version: '1.0.0', type }));
    writeFileSync(join(folder, type, 'consumer.ts'), consumer);
  }
}

/** Compiles a project with and without strict checks, and runs it. Throws if the result differs from the row. */
export async function tryRow(folder: string, compiler: string, row: MatrixRow): Promise<undefined> {
  const { module, moduleResolution } = row;
  const project = join(folder, row.type);
  for (const strict of [true, false]) {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
      ...{ strict, skipLibCheck: false, outDir: 'built', rootDir: '.' },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    rmSync(join(project, 'built'), { recursive: true, force: true });
    const tsc = [compiler, '-p', project, '--pretty', 'false'];
    const { stdout } = await run(process.execPath, tsc).catch((error: { stdout: string }) => error);
    const codes = [...new Set([...stdout.matchAll(/error (TS\d+)/g)].map(([, code]) => code))].join(', ');
    // If the compiler cannot read the types, the line with `@ts-expect-error` is another error.
    const isExpected = row.error === undefined ? codes === '' : codes.split(', ').includes(row.error);
    if (!isExpected) throw new Error(`strict: ${strict} gives ${codes || 'no error'}: ${stdout.slice(0, 500)}`);
  }
  if (row.error !== undefined) return;
  const script = `import(${JSON.stringify(join(project, 'built/consumer.js'))}).then((it) => process.stdout.write(it.loaded))`;
  const ran = await run(process.execPath, ['--eval', script]).then(
    ({ stdout }) => stdout === 'function function image-provider/composite_layers',
    () => false,
  );
  if (ran !== row.runs) throw new Error(`Node ${ran ? 'runs' : 'does not run'} the compiled project`);
}
