import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, memoryRoot, writeToDisk } from './memory-files.ts';
import { runGenerate } from './run-generate.ts';

let folder = '';
let files: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  const written = createMemoryFiles();
  const router = createFakeRouter({ 'image-provider/photo-1': modelDocument('image-provider/photo-1') }, 1);
  await runGenerate(router, written, { specs: buildEffectiveSpecs() });
  folder = writeToDisk(written);
  const out = `${memoryRoot}/out/`;
  files = Object.fromEntries([...written.contents].map(([path, text]) => [path.slice(out.length), text]));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Exports = {
  operations: Record<string, { security: string[]; credentialRequired: boolean }>;
  errorCodes: Record<string, { status: number; meaning: string }>;
  errorTypes: Record<string, { status?: number; meaning: string }>;
};

async function loadExports(path: string): Promise<Exports> {
  return import(/* @vite-ignore */ join(folder, path));
}

const statuses = {
  ...{ invalid_workflow: 422, workflow_format_ui: 422, missing_asset: 422, hash_mismatch: 409, blob_not_found: 404 },
  ...{ idempotency_key_reuse: 422, queue_full: 429, insufficient_credits: 402, not_found: 404, unauthorized: 401 },
  ...{ forbidden: 403, deployment_not_ready: 429, deployment_stopped: 422, rate_limited: 429, upstream_error: 500 },
};

test('the workflow package exports each error code with its status and meaning (WX-COD-01 to WX-COD-27)', async () => {
  const { errorCodes } = await loadExports('workflow-execution/index.js');
  expect(Object.fromEntries(Object.entries(errorCodes).map(([code, { status }]) => [code, status]))).toEqual(statuses);
  expect(Object.entries(errorCodes).filter(([, { meaning }]) => meaning.length < 10)).toEqual([]);
  const withWait = Object.entries(errorCodes).filter(([, { meaning }]) => meaning.includes('Retry-After'));
  expect(withWait.map(([code]) => code)).toEqual(['queue_full', 'deployment_not_ready', 'rate_limited']);
  for (const [code, status] of Object.entries(statuses)) {
    expect(files['workflow-execution/index.d.ts']).toContain(
      `readonly ${code}: { readonly status: ${status}; readonly meaning: string };`,
    );
  }
});

test('the router package exports the eighteen error categories with their meanings, without statuses', async () => {
  const { errorTypes } = await loadExports('model-router/index.js');
  expect(Object.keys(errorTypes)).toHaveLength(18);
  for (const [category, { status, meaning }] of Object.entries(errorTypes)) {
    expect([category, status, meaning.length > 10]).toEqual([category, undefined, true]);
  }
});

test('every operation of the router package requires a credential, but none of the workflow package does (MR-AUT-01, WX-AUT-06)', async () => {
  const required = async (path: string): Promise<boolean[]> => {
    const { operations } = await loadExports(path);
    return [...new Set(Object.values(operations).map(({ credentialRequired }) => credentialRequired))];
  };
  expect(await required('model-router/index.js')).toEqual([true]);
  expect(await required('workflow-execution/index.js')).toEqual([false]);
  expect(files['workflow-execution/README.md']).toMatch(/deployments need no credential; omit it for those/);
});

test('only the router’s client sends an API key in its own header (WX-AUT-02)', () => {
  expect(files['model-router/client.js']).toContain('createPathsClient(options, "X-API-Key")');
  expect(files['model-router/client.d.ts']).toContain('ApiKeyOption');
  const workflow = ['README.md', 'client.js', 'client.d.ts', 'index.js', 'openapi.json'];
  for (const name of workflow) expect(files[`workflow-execution/${name}`], name).not.toMatch(/X-API-Key|ApiKeyOption/);
});

test("the README of each package shows a URL of that package's API", () => {
  expect(files['model-router/README.md']).toContain("baseUrl: 'https://router.example', apiKey");
  expect(files['workflow-execution/README.md']).toContain("baseUrl: 'https://workflows.example', token");
  expect(files['workflow-execution/README.md']).not.toContain('router.example');
});

test('every header contains the configured brand (MR-GEN-01)', async () => {
  const branded = createMemoryFiles();
  const specs = buildEffectiveSpecs({ brand: 'Acme' });
  await runGenerate(createFakeRouter(), branded, { specs, allowEmpty: true });
  const api = branded.contents.get(`${memoryRoot}/out/model-router/api.d.ts`);
  expect(api).toContain('"X-Acme-Request-Id"');
  expect(api).not.toMatch(/x-service-/i);
});
