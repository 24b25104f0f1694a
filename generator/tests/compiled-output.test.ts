import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, packageRoot, readOwnCatalog } from '../../specs/src/index.ts';
import { nodePorts } from '../src/adapters/node-files.ts';
import { generate } from '../src/generate.ts';
import type { GenerationReport } from '../src/report/report.ts';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { configWith, instantClock } from './run-generate.ts';

const run = promisify(execFile);
const compilers = [
  ['5.9', join(packageRoot(), 'node_modules/typescript/bin/tsc')],
  ['7', join(packageRoot(), 'node_modules/typescript-7/bin/tsc')],
] as const;

const biome = join(packageRoot(), 'node_modules/@biomejs/biome/bin/biome');
let folder = '';
let report: GenerationReport;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-compiled-'));
  const own = readOwnCatalog().map(({ id, document }) => [id, document] as const);
  const router = createFakeRouter({ ...Object.fromEntries(own), 'union-provider/either': unions() });
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const places = { outDir: join(folder, 'out'), cacheDir: join(folder, 'cache') };
  report = await generate(configWith({ ...places, specs }), {
    ...nodePorts(),
    http: router.http,
    clock: instantClock(),
  });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a document with unions, maps, recursion and reserved names, which are difficult to express as types. */
function unions(): object {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const input = {
    type: 'object',
    required: ['source'],
    properties: {
      source: {
        type: 'object',
        properties: { url: { type: 'string' }, bytes: { type: 'string' } },
        oneOf: [{ required: ['url'] }, { required: ['bytes'] }],
      },
      steps: { type: 'integer', default: 4 },
      tree: ref('Tree'),
      size: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'integer' }], minItems: 2, items: false },
      labels: { type: 'object', properties: { main: { type: 'boolean' } }, additionalProperties: { type: 'string' } },
      inherited: {
        type: 'object',
        properties: { toString: { type: 'string' } },
        additionalProperties: { type: 'number' },
      },
      closed: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      mood: { anyOf: [{ type: 'string', enum: ['calm'] }, { type: 'string' }] },
    },
  };
  const tree = {
    type: 'object',
    properties: { up: ref('Tree'), next: { allOf: [ref('Tree'), { required: ['up'] }] } },
  };
  const components = { Tree: tree, Loop: ref('Loop'), Uint8Array: { type: 'string' }, Models: ref('Uint8Array') };
  const output = { anyOf: [ref('Models'), ref('Loop'), ref('Tree')] };
  const content = { 'application/json': { schema: output }, 'image/png': {} };
  return modelDocument('union-provider/either', { input, components, content });
}

async function compile(compiler: string, project: string): Promise<string> {
  return run(process.execPath, [compiler, '-p', project, '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  );
}

/** `npm test` compiles libraries with the fast compiler, `npm run test:long` with both. */
const libraryCompilers = process.env['SWITCHYARD_ALL_TARGETS'] === '1' ? compilers : compilers.slice(1);

test.each(compilers)(
  'TypeScript %s compiles the whole output and code that uses it, and rejects wrong inputs',
  { timeout: 60_000 },
  async (_version, compiler) => {
    expect(report.models.failed).toBe(0);
    writeConsumer(join(folder, 'out'));
    expect(await compile(compiler, join(folder, 'out/consumer.json'))).toBe('');
  },
);

test('the tsconfig of the output compiles without installed packages', { timeout: 60_000 }, async () => {
  expect(await compile(compilers[1][1], join(folder, 'out'))).toBe('');
});

test.each(libraryCompilers)(
  'a library compiled by TypeScript %s can export methods of a generated client, and functions for any model',
  { timeout: 60_000 },
  async (_version, compiler) => {
    const library = join(folder, 'library');
    for (const name of ['model-router', 'models', 'workflow-execution'])
      cpSync(join(folder, 'out', name), join(library, 'node_modules/@switchyard', name), { recursive: true });
    const compilerOptions = { strict: true, declaration: true, module: 'nodenext', target: 'es2022', types: [] };
    const options = { ...compilerOptions, emitDeclarationOnly: true, outDir: 'types' };
    writeFileSync(join(library, 'package.json'), '{"type":"module"}');
    writeFileSync(join(library, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['library.ts'] }));
    writeFileSync(join(library, 'library.ts'), libraryText);
    expect(await compile(compiler, library)).toBe('');
    expect(readFileSync(join(library, 'types/library.d.ts'), 'utf8')).toContain('InputOf<M>');
  },
);

const libraryText = `
import { createModelRouter, safe, type AnyModel, type InputOf, type OutputOf } from '@switchyard/model-router';
import { listModels, listModelsPage, readModelSchema } from '@switchyard/model-router/catalog';
import { queued, submit, subscribe } from '@switchyard/model-router/queue';
import { listPending, resume } from '@switchyard/model-router/resume';
import { withOptions } from '@switchyard/model-router/with-options';
import { createWorkflowExecution } from '@switchyard/workflow-execution';
import { model } from '@switchyard/models/union-provider/either';

export const router = createModelRouter();
export const { run, use } = router;
export const list = () => listPending(router);
export const patient = withOptions(router, { maxAttempts: 9 });
export const { getJobWorkflow, use: useForWorkflows } = createWorkflowExecution();
export const catalog = [listModels(router), listModelsPage(router), readModelSchema(router, 'some-provider/model')] as const;
export const resumeEither = (idempotencyKey: string) => resume(router, { idempotencyKey }, { model });
export const runEither = (url: string) => router.run(model, { source: { url } });
export const submitEither = (url: string) => submit(router, 'union-provider/either', { source: { url } });

export async function runAny<M extends AnyModel>(any: M, input: InputOf<M>): Promise<OutputOf<M>> {
  await subscribe(router, any, input);
  const { addresses } = await submit(router, any, input);
  await queued(router, any, addresses).result();
  const settled = await safe(router.run(any, input));
  return settled.ok ? settled.data : (await router.run(any, input)).data;
}
export const ran = await runAny(model, { source: { url: 'x' } });
await runAny({ id: 'some-provider/model' }, { anything: 1 });
// @ts-expect-error the source is an object
await runAny(model, { source: 3 });
`;

describe('generated code files', () => {
  const listCode = (): string[] =>
    globSync(
      ['models', 'model-router', 'workflow-execution'].map((name) => `out/${name}/**/*.{js,ts}`),
      { cwd: folder },
    );

  test('every generated code file disables ESLint and has the tag @generated at its start', () => {
    const code = listCode();
    expect(code).not.toEqual([]);
    const unmarked = code.filter((path) => {
      const start = readFileSync(join(folder, path), 'utf8').split('\n').slice(0, 6).join('\n');
      return !start.startsWith('/* eslint-disable */\n') || !/^(?:\/\*\*| \*) @generated/m.test(start);
    });
    expect(unmarked).toEqual([]);
  });

  test('Biome with all rules enabled ignores every generated code file', { timeout: 60_000 }, async () => {
    const rules = Object.fromEntries(
      ['a11y', 'complexity', 'correctness', 'performance', 'security', 'style', 'suspicious'].map((group) => [
        group,
        'error',
      ]),
    );
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, linter: { rules } }));
    const check = (...paths: string[]) =>
      run(process.execPath, [biome, 'check', '--max-diagnostics=1', '--colors=off', ...paths], { cwd: folder }).then(
        () => '',
        (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)),
      );
    expect(await check(...listCode())).toBe('');
    writeFileSync(join(folder, 'other.js'), 'var unmarked = 1;');
    expect(await check('other.js')).toContain('noVar');
  });
});

function writeConsumer(out: string): void {
  const paths = {
    '@switchyard/model-router': ['./model-router/index.d.ts'],
    '@switchyard/model-router/client': ['./model-router/client.d.ts'],
    '@switchyard/workflow-execution/client': ['./workflow-execution/client.d.ts'],
    '@switchyard/models/*': ['./models/*.d.ts'],
  };
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [], paths };
  writeFileSync(
    join(out, 'consumer.json'),
    JSON.stringify({ compilerOptions, include: ['consumer.ts', '*/index.d.ts', '*/api.d.ts', 'models/**/*.d.ts'] }),
  );
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');
  writeFileSync(join(out, 'consumer.ts'), consumer);
  try {
    symlinkSync(join(packageRoot(), 'node_modules'), join(out, 'node_modules'));
  } catch {
    // The link exists already if another compiler was tested before.
  }
}

const consumer = `
import type { ModelDescriptor, Models } from '@switchyard/model-router';
import { createModelRouterWithoutRetries } from '@switchyard/model-router/client';
import { createWorkflowExecutionWithoutRetries } from '@switchyard/workflow-execution/client';
import { model, type Input, type Output } from '@switchyard/models/union-provider/either';

declare function runModel<Id extends keyof Models>(id: Id, input: Models[Id]['input']): Models[Id]['output'];
declare function take<I, O>(descriptor: ModelDescriptor<string, I, O>, input: I): O;

const good: Input = { source: { url: 'x' }, size: [1, 2], labels: { main: true, other: 'x' }, closed: {}, mood: 'wild' };
const output: Output = runModel('union-provider/either', good);
const same: Output = take(model, { source: { bytes: 'x' } });
const id: 'union-provider/either' = model.id;

// @ts-expect-error the input is required
const none: Input = {};
// @ts-expect-error exactly one of the two
const both: Input = { source: { url: 'x', bytes: 'y' } };
// @ts-expect-error neither of the two
const neither: Input = { source: {} };
// @ts-expect-error a misspelt key
const misspelt: Input = { source: { url: 'x' }, stepz: 3 };
// @ts-expect-error two items
const short: Input = { source: { url: 'x' }, size: [1] };
// @ts-expect-error a closed object
const extra: Input = { source: { url: 'x' }, closed: { a: 'x', b: 1 } };
// @ts-expect-error a map of strings
const numbers: Input = { source: { url: 'x' }, labels: { other: 3 } };
// @ts-expect-error no such model
runModel('union-provider/neither', good);

const client = createModelRouterWithoutRetries({ baseUrl: 'http://router.test', apiKey: 'sk' });
const page = await client.GET('/v2/models', { params: { query: { limit: 3 } } });
const more: boolean | undefined = page.data?.has_more;
// @ts-expect-error no such path
client.GET('/v2/nothing');
createWorkflowExecutionWithoutRetries({ baseUrl: 'http://jobs.test', token: 't' });
// @ts-expect-error the API takes no key in a header of its own
createWorkflowExecutionWithoutRetries({ baseUrl: 'http://jobs.test', apiKey: 'k' });

export { both, client, extra, id, misspelt, more, neither, none, numbers, output, same, short };
`;
