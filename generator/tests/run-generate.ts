import { defaultSpecSettings, type EffectiveSpecs, type OpenApiDocument } from '../../specs/src/index.ts';
import { namePackages } from '../src/emit/emitted-file.ts';
import { type GenerateConfig, generate, previewOutput } from '../src/generate.ts';
import { indexLockedFiles, lockName, printLockfile } from '../src/output/lockfile.ts';
import type { Clock } from '../src/ports.ts';
import type { GenerationReport } from '../src/report/report.ts';
import { createFakeRouter, type FakeRouter, modelDocument, routerUrl } from './fake-router.ts';
import { createMemoryFiles, type MemoryFiles, memoryRoot } from './memory-files.ts';

/** Creates a clock that never waits, and records the requested waits. */
export function instantClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    async sleep(ms) {
      waits.push(ms);
    },
    parseInstant: () => undefined,
  };
}

/** Small documents of both APIs, with one operation each: printing the packages of the real APIs takes seconds. */
export const smallSpecs: EffectiveSpecs = {
  settings: defaultSpecSettings,
  modelRouter: smallDocument('/v2/models', 'listModels'),
  workflowExecution: smallDocument('/api/v2/jobs/{id}/workflow', 'readJobWorkflow'),
};

function smallDocument(path: string, operationId: string): OpenApiDocument {
  const schema = { type: 'object', properties: { data: { type: 'array', items: { type: 'string' } } } };
  const responses = { 200: { description: 'Fine', content: { 'application/json': { schema } } } };
  return {
    openapi: '3.1.0',
    info: { title: operationId, version: '1' },
    paths: { [path]: { get: { operationId, responses } } },
    components: {},
  };
}

export function runGenerate(
  router: FakeRouter,
  files: MemoryFiles,
  changes: Partial<GenerateConfig> = {},
): Promise<GenerationReport> {
  return generate(configWith(changes), { http: router.http, files, clock: instantClock() });
}

/** A router, files in memory, and a function that runs the generator with them. */
export type Generation = {
  readonly router: FakeRouter;
  readonly files: MemoryFiles;
  readonly run: (changes?: Partial<GenerateConfig>) => Promise<GenerationReport>;
};

export function prepareGeneration(ids: readonly string[]): Generation {
  const router = createFakeRouter(Object.fromEntries(ids.map((id) => [id, modelDocument(id)])));
  const files = createMemoryFiles();
  return { router, files, run: (changes) => runGenerate(router, files, changes) };
}

/** Returns the report of a preview, and the texts of all files by path. */
export function previewGenerate(router: FakeRouter, files: MemoryFiles) {
  const ports = { http: router.http, files, clock: instantClock() };
  return previewOutput(configWith({}), ports, ({ tree, report }) => {
    const texts = new Map([...indexLockedFiles(tree.lock).keys()].map((path) => [path, tree.text(path)]));
    return { report, texts: texts.set(lockName, printLockfile(tree.lock)) };
  });
}

export function configWith(changes: Partial<GenerateConfig>): GenerateConfig {
  return {
    routerUrl,
    credential: { kind: 'api-key', value: 'sk-test' },
    outDir: `${memoryRoot}/out`,
    cacheDir: `${memoryRoot}/cache`,
    specs: smallSpecs,
    packageNames: namePackages('@switchyard'),
    only: [],
    concurrency: 4,
    mode: 'write',
    source: 'network',
    frozen: false,
    allowEmpty: false,
    parts: 'input-validators',
    outputLayout: { layout: 'packages', peers: 'any-version' },
    version: { kind: 'kept' },
    headers: {},
    secrets: [],
    ...changes,
  };
}
