import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  applyBrand,
  buildEffectiveSpecs,
  defaultSpecSettings,
  packageRoot,
  parseBrand,
  readOwnCatalog,
} from '../../specs/src/index.ts';
import { nodePorts } from '../src/adapters/node-files.ts';
import { generate } from '../src/generate.ts';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, memoryRoot } from './memory-files.ts';
import { configWith, instantClock, runGenerate } from './run-generate.ts';

const run = promisify(execFile);
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-requirements-'));
  await generateInto('out', 'Service');
  symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function generateInto(name: string, word: string): Promise<void> {
  const brand = parseBrand(word);
  const documents = readOwnCatalog().map(({ id, document }) => [id, Object(applyBrand(document, brand))] as const);
  const router = createFakeRouter(Object.fromEntries(documents));
  const specs = await buildEffectiveSpecs({ ...defaultSpecSettings, brand });
  const places = { outDir: join(folder, name), cacheDir: join(folder, 'cache') };
  await generate(configWith({ ...places, specs }), { ...nodePorts(), http: router.http, clock: instantClock() });
}

/**
 * Code that shows what a requirement means for the types: it compiles, except for the lines marked as errors. Facts that the
 * documents state are not repeated here, because the types of operations are made from the documents.
 */
const proofs: Record<string, string> = {
  'MR-CAT-45, MR-CAT-46, MR-CAT-47: the charges of a model descriptor are yes, no or unknown': `
    const known: ('yes' | 'no' | 'unknown')[] = ['yes', 'no', 'unknown'];
    const charges: typeof clip.chargesOnPolicyRejection = known[0] ?? 'unknown';`,
  'MR-CAT-48: the type of charges in the catalog accepts unknown words': `
    const word: components['schemas']['Billing']['charges_on_policy_rejection'] = 'sometimes';`,
  "MR-RUN-19: with strict_mode, types accept a body with a different provider's schema": `
    const query = { model_provider: 'other', strict_mode: true };
    client.POST('/v2/models/{provider}/{model}', { params: { path, query }, body: { not_native: true } });`,
  'MR-SCH-26, MR-SCH-28: input and output types are those of the operation in the schema document': `
    const input: Input = { instances: [{ prompt: 'a kite' }] };
    // @ts-expect-error the document requires it
    const none: Input = {};
    const output: Output = { done: true, response: { videos: [{ mimeType: 'video/mp4' }] } };
    // @ts-expect-error the document requires a boolean
    const wrong: Output = { done: 'yes', response: {} };`,
  'MR-SCH-33: an output may contain more than its schema describes': `
    const received = { done: true, response: {}, added: { later: 1 } };
    const output: Output = received;`,
  'MR-SCH-30: the authored flag is a boolean': `
    const flag: boolean = clip.inputAuthored;
    const authored: components['schemas']['InputSchemaAuthored'] = false;
    // @ts-expect-error not a boolean
    const wrong: components['schemas']['InputSchemaAuthored'] = 'no';`,
  'MR-QUE-04, MR-QUE-05, MR-QUE-06, MR-VER-02: there are exactly three queue statuses, one of them COMPLETED': `
    const status: components['schemas']['QueueStatus'] = 'COMPLETED';
    // @ts-expect-error a fourth one would be a new version
    const fourth: components['schemas']['QueueStatus'] = 'PAUSED';
    const rest: Exclude<components['schemas']['QueueStatus'], 'COMPLETED' | 'IN_QUEUE' | 'IN_PROGRESS'>[] = [] as never[];`,
  'MR-CAN-10: a cancellation has one of two statuses': `
    const outcomes: components['schemas']['CancelResponse']['status'][] = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];
    // @ts-expect-error no third one
    const third: components['schemas']['CancelResponse']['status'] = 'CANCELLED';`,
  'MR-IDM-51: the idempotency key of a run is optional': `
    client.POST('/v2/models/{provider}/{model}', { params: { path, header: { 'Idempotency-Key': 'k' } }, body: {} });
    client.POST('/v2/models/{provider}/{model}', { params: { path, header: {} }, body: {} });`,
  'MR-ERR-31: the type of a field error may be any text': `
    const failure: components['schemas']['FieldError'] = { loc: ['body', 'a', 0], msg: 'x', type: 'image_too_small', ctx: { min: 3 } };`,
  'MR-AST-01, MR-AST-21, MR-AST-22, MR-AST-23: a video in an output may be inline or a link': `
    const output: Models['video-provider-three/clip-3.1-generate-001']['output'] = {
      done: true,
      response: { videos: [{ bytesBase64Encoded: 'aGk=' }, { gcsUri: 'https://assets.example/clip' }] },
    };
    const [video] = output.response.videos ?? [];
    const either: string | undefined = video?.bytesBase64Encoded ?? video?.gcsUri;`,
  'MR-EVT-01, WX-EVT-01: neither API has events, webhooks or push': `
    const none: Extract<keyof paths | keyof WorkflowPaths, \`\${string}\${'event' | 'webhook' | 'stream'}\${string}\`>[] = [] as never[];
    const hooks: keyof webhooks extends string ? true : never = true;`,
  'WX-JWF-29, WX-VER-05: the format of a job workflow is api or save': `
    const formats: WorkflowComponents['schemas']['JobWorkflow']['format'][] = ['api', 'save'];`,
  'WX-VER-03: types accept unknown members and codes in errors': `
    const answer = { error: { code: 'new_code', message: 'x', hint: 'unknown so far' }, trace: 1 };
    const envelope: WorkflowComponents['schemas']['ErrorEnvelope'] = answer;`,
};

const prelude = `
import { createModelRouterWithoutRetries } from '@switchyard/model-router/client';
import type { Models } from '@switchyard/model-router';
import type { components, paths, webhooks } from '@switchyard/model-router/api';
import type { components as WorkflowComponents, paths as WorkflowPaths } from '@switchyard/workflow-execution/api';
import { model as clip, type Input, type Output } from '@switchyard/models/video-provider-three/clip-3.1-generate-001';
import '@switchyard/models/audio-provider/speech_v2';

const client = createModelRouterWithoutRetries({ baseUrl: 'http://router.test' });
const path = { provider: 'p', model: 'm' };
`;

describe('code that uses the generated types', () => {
  let errors = new Map<string, string[]>();
  beforeAll(async () => {
    const starts: [line: number, name: string][] = [];
    let text = prelude;
    for (const [name, proof] of Object.entries(proofs)) {
      starts.push([text.split('\n').length, name]);
      text += `async () => {${proof}\n};\n`;
    }
    writeFileSync(join(folder, 'proofs.ts'), text);
    errors = groupErrors(await compile(), starts);
  }, 120_000);

  test.each(Object.keys(proofs))('%s', (name) => {
    expect(errors.get(name) ?? []).toEqual([]);
  });
  test('the compiler reads every proof in this file', () => {
    expect(errors.get('prelude') ?? []).toEqual([]);
  });
});

async function compile(): Promise<string> {
  const at = (name: string) => [`./out/${name}`];
  const paths = {
    '@switchyard/model-router': at('model-router/index.d.ts'),
    '@switchyard/model-router/*': at('model-router/*.d.ts'),
    '@switchyard/workflow-execution/*': at('workflow-execution/*.d.ts'),
    '@switchyard/models/*': at('models/*.d.ts'),
  };
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [], paths };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['proofs.ts'] }));
  const tsc = join(packageRoot(), 'node_modules/typescript-7/bin/tsc');
  return run(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  );
}

function groupErrors(output: string, starts: readonly [line: number, name: string][]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const message of output.split('\n').filter((line) => line !== '')) {
    const line = Number(/^proofs\.ts\((\d+),/.exec(message)?.[1] ?? 0);
    const name = starts.findLast(([start]) => start <= line)?.[1] ?? 'prelude';
    found.set(name, [...(found.get(name) ?? []), message]);
  }
  return found;
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

describe('the generated low-level client', () => {
  type Answered = { data?: unknown; error?: unknown; response: Response };
  type Client = { POST(path: string, options: object): Promise<Answered> };

  async function answered(
    body: Uint8Array<ArrayBuffer> | string,
    mediaType: string,
    options: object = {},
  ): Promise<Answered> {
    const url = pathToFileURL(join(folder, 'out/model-router/client.js')).href;
    const { createModelRouterWithoutRetries }: { createModelRouterWithoutRetries(options: object): Client } =
      await import(url);
    const fetch = async () => new Response(body, { headers: { 'content-type': mediaType } });
    const client = createModelRouterWithoutRetries({ baseUrl: 'http://router.test', fetch });
    const params = { path: { provider: 'video-provider-three', model: 'clip-3.1-generate-001' } };
    return client.POST('/v2/models/{provider}/{model}', { params, body: {}, ...options });
  }

  test('MR-SCH-34: the low-level client returns an output that violates its schema unchanged', async () => {
    const { data, error } = await answered('{"done":"perhaps","surprise":[]}', 'application/json');
    expect([data, error]).toEqual([{ done: 'perhaps', surprise: [] }, undefined]);
  });

  test('MR-SCH-37: the low-level client returns bytes unchanged', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { data } = await answered(bytes, 'image/png', { parseAs: 'arrayBuffer' });
    expect(data instanceof ArrayBuffer ? new Uint8Array(data) : undefined).toEqual(bytes);
  });
});

test('MR-VER-03, MR-SCH-25: schemas are only read from each model’s own document', async () => {
  const id = 'p/m';
  const input = {
    type: 'object',
    properties: { a: { $ref: 'http://elsewhere.test/schema.json' }, b: { type: 'string' } },
  };
  const router = createFakeRouter({ [id]: modelDocument(id, { input }) });
  const files = createMemoryFiles();
  const report = await runGenerate(router, files);
  expect(router.requests.map(({ url }) => new URL(url).pathname)).toEqual([
    '/v2/models',
    `/v2/models/${id}/openapi.json`,
  ]);
  expect(report.diagnostics.map(({ code }) => code)).toEqual(['reference-external']);
  expect(files.contents.get(`${memoryRoot}/out/models/${id}.d.ts`)).toContain('b?: string');
});

test('MR-GEN-01: every header contains the configured brand', { timeout: 60_000 }, async () => {
  await generateInto('branded', 'Acme');
  const api = read('branded/model-router/api.d.ts');
  expect(api).toContain('"X-Acme-Request-Id"');
  expect(api).not.toMatch(/x-service-/i);
});
