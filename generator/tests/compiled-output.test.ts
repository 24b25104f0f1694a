import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** `npm test` compiles with the fast compiler, `npm run test:long` with both. */
const usedCompilers = process.env['SWITCHYARD_ALL_TARGETS'] === '1' ? compilers : compilers.slice(1);

test('the tsconfig of the output compiles without installed packages', { timeout: 60_000 }, async () => {
  expect(await compile(compilers[1][1], join(folder, 'out'))).toBe('');
});

describe('code that uses the output', () => {
  beforeAll(() => {
    writeConsumer(join(folder, 'out'));
    symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'out/node_modules'));
  });

  test.each(usedCompilers)(
    'TypeScript %s compiles the whole output and code that uses it, and rejects wrong inputs',
    { timeout: 60_000 },
    async (_version, compiler) => {
      expect(report.models.failed).toBe(0);
      expect(await compile(compiler, join(folder, 'out/consumer.json'))).toBe('');
    },
  );

  test.each<[string, BodyInit, string, object, unknown]>([
    ['JSON that violates its schema (MR-SCH-34)', '{"done":"perhaps"}', 'application/json', {}, { done: 'perhaps' }],
    ['bytes (MR-SCH-37)', allBytes, 'image/png', { parseAs: 'arrayBuffer' }, allBytes],
  ])('the low-level client returns %s unchanged', async (_, body, mediaType, options, expected) => {
    type Client = { POST(path: string, options: object): Promise<{ data?: unknown; error?: unknown }> };
    const url = pathToFileURL(join(folder, 'out/model-router/client.js')).href;
    const { createModelRouterWithoutRetries }: { createModelRouterWithoutRetries(options: object): Client } =
      await import(url);
    const fetch = async () => new Response(body, { headers: { 'content-type': mediaType } });
    const client = createModelRouterWithoutRetries({ baseUrl: 'http://router.test', fetch });
    const params = { path: { provider: 'video-provider-three', model: 'clip-3.1-generate-001' } };
    const { data, error } = await client.POST('/v2/models/{provider}/{model}', { params, body: {}, ...options });
    const received = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
    expect([received, error]).toEqual([expected, undefined]);
  });
});

test.each(usedCompilers)(
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

test('every generated code file disables ESLint and has the tag @generated at its start', () => {
  const code = globSync('out/{models,model-router,workflow-execution}/**/*.{js,ts}', { cwd: folder });
  expect(code).not.toEqual([]);
  const unmarked = code.filter((path) => {
    const start = readFileSync(join(folder, path), 'utf8').split('\n').slice(0, 6).join('\n');
    return !start.startsWith('/* eslint-disable */\n') || !/^(?:\/\*\*| \*) @generated/m.test(start);
  });
  expect(unmarked).toEqual([]);
});

function writeConsumer(out: string): void {
  const paths = {
    '@switchyard/model-router': ['./model-router/index.d.ts'],
    '@switchyard/model-router/*': ['./model-router/*.d.ts'],
    '@switchyard/workflow-execution/*': ['./workflow-execution/*.d.ts'],
    '@switchyard/models/*': ['./models/*.d.ts'],
  };
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [], paths };
  const include = ['consumer.ts', 'requirements.ts', '*/index.d.ts', '*/api.d.ts', 'models/**/*.d.ts'];
  writeFileSync(join(out, 'consumer.json'), JSON.stringify({ compilerOptions, include }));
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');
  writeFileSync(join(out, 'consumer.ts'), consumer);
  writeFileSync(join(out, 'requirements.ts'), requirements);
}

const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index);

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

/**
 * Shows what requirements mean for the types. Facts that the documents state are not repeated here, because the types of
 * operations are made from the documents.
 */
const requirements = `
import { createModelRouterWithoutRetries } from '@switchyard/model-router/client';
import type { Models } from '@switchyard/model-router';
import type { components, paths, webhooks } from '@switchyard/model-router/api';
import type { components as WorkflowComponents, paths as WorkflowPaths } from '@switchyard/workflow-execution/api';
import { model as clip, type Input, type Output } from '@switchyard/models/video-provider-three/clip-3.1-generate-001';
import '@switchyard/models/audio-provider/speech_v2';

const client = createModelRouterWithoutRetries({ baseUrl: 'http://router.test' });
const path = { provider: 'p', model: 'm' };
{
  // MR-CAT-45, MR-CAT-46, MR-CAT-47: the charges of a model descriptor are yes, no or unknown
  const known: ('yes' | 'no' | 'unknown')[] = ['yes', 'no', 'unknown'];
  const charges: typeof clip.chargesOnPolicyRejection = known[0] ?? 'unknown';
}
{
  // MR-CAT-48: the type of charges in the catalog accepts unknown words
  const word: components['schemas']['Billing']['charges_on_policy_rejection'] = 'sometimes';
}
{
  // MR-RUN-19: with strict_mode, types accept a body with a different provider's schema
  const query = { model_provider: 'other', strict_mode: true };
  client.POST('/v2/models/{provider}/{model}', { params: { path, query }, body: { not_native: true } });
}
{
  // MR-SCH-26, MR-SCH-28: input and output types are those of the operation in the schema document
  const input: Input = { instances: [{ prompt: 'a kite' }] };
  // @ts-expect-error the document requires it
  const none: Input = {};
  const output: Output = { done: true, response: { videos: [{ mimeType: 'video/mp4' }] } };
  // @ts-expect-error the document requires a boolean
  const wrong: Output = { done: 'yes', response: {} };
}
{
  // MR-SCH-33: an output may contain more than its schema describes
  const received = { done: true, response: {}, added: { later: 1 } };
  const output: Output = received;
}
{
  // MR-SCH-30: the authored flag is a boolean
  const flag: boolean = clip.inputAuthored;
  const authored: components['schemas']['InputSchemaAuthored'] = false;
  // @ts-expect-error not a boolean
  const wrong: components['schemas']['InputSchemaAuthored'] = 'no';
}
{
  // MR-QUE-04, MR-QUE-05, MR-QUE-06, MR-VER-02: there are exactly three queue statuses, one of them COMPLETED
  const status: components['schemas']['QueueStatus'] = 'COMPLETED';
  // @ts-expect-error a fourth one would be a new version
  const fourth: components['schemas']['QueueStatus'] = 'PAUSED';
  const rest: Exclude<components['schemas']['QueueStatus'], 'COMPLETED' | 'IN_QUEUE' | 'IN_PROGRESS'>[] = [] as never[];
}
{
  // MR-CAN-10: a cancellation has one of two statuses
  const outcomes: components['schemas']['CancelResponse']['status'][] = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];
  // @ts-expect-error no third one
  const third: components['schemas']['CancelResponse']['status'] = 'CANCELLED';
}
{
  // MR-IDM-51: the idempotency key of a run is optional
  client.POST('/v2/models/{provider}/{model}', { params: { path, header: { 'Idempotency-Key': 'k' } }, body: {} });
  client.POST('/v2/models/{provider}/{model}', { params: { path, header: {} }, body: {} });
}
{
  // MR-ERR-31: the type of a field error may be any text
  const failure: components['schemas']['FieldError'] = { loc: ['body', 'a', 0], msg: 'x', type: 'image_too_small', ctx: { min: 3 } };
}
{
  // MR-AST-01, MR-AST-21, MR-AST-22, MR-AST-23: a video in an output may be inline or a link
  const output: Models['video-provider-three/clip-3.1-generate-001']['output'] = {
    done: true,
    response: { videos: [{ bytesBase64Encoded: 'aGk=' }, { gcsUri: 'https://assets.example/clip' }] },
  };
  const [video] = output.response.videos ?? [];
  const either: string | undefined = video?.bytesBase64Encoded ?? video?.gcsUri;
}
{
  // MR-EVT-01, WX-EVT-01: neither API has events, webhooks or push
  const none: Extract<keyof paths | keyof WorkflowPaths, \`\${string}\${'event' | 'webhook' | 'stream'}\${string}\`>[] = [] as never[];
  const hooks: keyof webhooks extends string ? true : never = true;
}
{
  // WX-JWF-29, WX-VER-05: the format of a job workflow is api or save
  const formats: WorkflowComponents['schemas']['JobWorkflow']['format'][] = ['api', 'save'];
}
{
  // WX-VER-03: types accept unknown members and codes in errors
  const answer = { error: { code: 'new_code', message: 'x', hint: 'unknown so far' }, trace: 1 };
  const envelope: WorkflowComponents['schemas']['ErrorEnvelope'] = answer;
}
`;
