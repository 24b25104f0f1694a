import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generate, namePackages, nodePorts } from '../../../generator/src/index.ts';
import { configureGeneration, type ServedSandbox } from '../../../scripts/tests/with-sandbox.ts';

const run = promisify(execFile);

/** The settings of a project's tsconfig.json that decide how it finds the packages. */
export type ModuleSetting = {
  readonly module: string;
  readonly moduleResolution: string;
  /** TypeScript versions that have this setting. */
  readonly from: number;
  readonly until?: number;
};
export const moduleSettings: readonly ModuleSetting[] = [
  { module: 'commonjs', moduleResolution: 'node10', from: 5.0, until: 6 },
  { module: 'esnext', moduleResolution: 'node10', from: 5.0, until: 6 },
  { module: 'esnext', moduleResolution: 'bundler', from: 5.0 },
  { module: 'node16', moduleResolution: 'node16', from: 5.0 },
  { module: 'nodenext', moduleResolution: 'nodenext', from: 5.0 },
  { module: 'node18', moduleResolution: 'node16', from: 5.8 },
  { module: 'node20', moduleResolution: 'node16', from: 5.9 },
];
export const projectTypes = ['module', 'commonjs'] as const;
export type ProjectType = (typeof projectTypes)[number];

/** What a project imports, and that results have the types of the model also without strict checks. */
const consumer = `
import { createModelRouter, RouterError, fieldErrors, type Models } from '@acme/model-router';
import { findAssets } from '@acme/model-router/assets';
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
  const handle = await router.submit(model, input);
  const queued = await handle.result();
  const isQueued: Equal<typeof queued.data, Output> = true;
  const subscribed = await router.subscribe(model, input);
  const isSubscribed: Equal<typeof subscribed.data, Output> = true;
  const settled = await router.safe.run(model, input);
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

/** A folder with a project for each type, both with the packages in `node_modules` above them. */
export async function writeProjects(folder: string, served: ServedSandbox): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const places = { outDir: join(folder, 'out'), cacheDir: join(folder, 'cache') };
  const config = configureGeneration(served, places, 'write');
  await generate({ ...config, packageNames: namePackages('@acme') }, nodePorts());
  cpSync(places.outDir, join(folder, 'node_modules/@acme'), { recursive: true });
  for (const type of projectTypes) {
    mkdirSync(join(folder, type), { recursive: true });
    writeFileSync(join(folder, type, 'package.json'), JSON.stringify({ name: type, version: '1.0.0', type }));
    writeFileSync(join(folder, type, 'consumer.ts'), consumer);
  }
}

/** The codes of the compiler's errors, each once; empty when the project compiles. */
export async function compileProject(
  folder: string,
  compiler: string,
  { module, moduleResolution }: ModuleSetting,
  flags: object = {},
): Promise<string[]> {
  const compilerOptions = {
    ...{ module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    ...{ strict: true, skipLibCheck: false, outDir: 'built', esModuleInterop: true, ...flags },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  rmSync(join(folder, 'built'), { recursive: true, force: true });
  const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return [...new Set([...stdout.matchAll(/error (TS\d+)/g)].map(([, code = '']) => code))].sort();
}
