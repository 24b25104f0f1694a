import { describe, expect, test } from 'vitest';
import { createFakeRouter, type FakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, memoryRoot, readOutput } from './memory-files.ts';
import { runGenerate } from './run-generate.ts';

const out = `${memoryRoot}/out`;
const ids = ['image-provider/photo-1', 'video-provider/clip', 'video-provider-two/clip'];

function createRouter(names: readonly string[] = ids): FakeRouter {
  return createFakeRouter(Object.fromEntries(names.map((id) => [id, modelDocument(id)])), 2);
}

function shorten(path: string): string {
  return path.replace(/validators\/[0-9a-f]{32}\./, 'validators/(digest).');
}

function documentRequests(router: FakeRouter) {
  return router.requests.filter(({ url }) => url.endsWith('/openapi.json'));
}

describe('a first run', () => {
  test('a first run writes every model and package, and finally the lockfile', async () => {
    const files = createMemoryFiles();
    const report = await runGenerate(createRouter(), files);
    expect(report.models).toMatchObject({ listed: 3, selected: 3, generated: 3, failed: 0 });
    expect(report.requests).toEqual({ pages: 2, asked: 3, notModified: 0, fetched: 3 });
    expect(report.diagnostics).toEqual([]);
    expect(report.changed).toBe(true);
    const written = Object.keys(readOutput(files)).map((path) => path.slice(out.length + 1));
    const { packages, models } = JSON.parse(files.contents.get(`${out}/switchyard.lock.json`) ?? '');
    const locked = [packages, models].flatMap((group: Record<string, { files: object }>) =>
      Object.values(group).flatMap((one) => Object.keys(one.files)),
    );
    expect(written).toEqual([...new Set([...locked, 'switchyard.lock.json'])].sort());
    const ofModels = ids.flatMap((id) => ['d.ts', 'js', 'schema.json'].map((ending) => `models/${id}.${ending}`));
    const parts = ['queue', 'resume', 'catalog', 'with-options', 'assets', 'node', 'browser', 'key-store', 'proxy'];
    expect(written).toEqual(expect.arrayContaining([...ofModels, ...parts.map((name) => `model-router/${name}.js`)]));
    // All three models have the same schema.
    expect(written.filter((path) => path.startsWith('models/validators/'))).toHaveLength(1);
    expect(files.commits.map(({ writes }) => writes.at(-1))).toEqual(['switchyard.lock.json']);
    expect(files.stored.at(-1)).toMatch(/index\.json$/);
  });

  test('sends no entity tag in a first run (MR-SCH-24)', async () => {
    const router = createRouter();
    await runGenerate(router, createMemoryFiles());
    expect(router.requests.some(({ headers }) => 'if-none-match' in headers)).toBe(false);
  });

  test('generate keeps the cached documents of each credential in a folder of their own (MR-SCH-11)', async () => {
    const files = createMemoryFiles();
    await runGenerate(createRouter(), files);
    await runGenerate(createRouter(), files, { credential: { kind: 'api-key', value: 'sk-other' } });
    const folders = [...files.contents.keys()].filter(
      (path) => path.includes('/cache/') && path.endsWith('index.json'),
    );
    expect(folders).toHaveLength(2);
    expect(folders.join()).not.toContain('sk-');
  });
});

describe('a second run', () => {
  test('a second run sends the entity tag of every document unchanged, and writes nothing after 304 responses (MR-SCH-03, MR-SCH-17, MR-VER-04)', async () => {
    const router = createRouter();
    const files = createMemoryFiles();
    await runGenerate(router, files);
    const commits = files.commits.length;
    router.requests.length = 0;
    const report = await runGenerate(router, files);
    expect(report.requests).toEqual({ pages: 2, asked: 3, notModified: 3, fetched: 0 });
    expect(
      documentRequests(router).every(({ headers }) => /^"[0-9a-f]{16}"$/.test(headers['if-none-match'] ?? '')),
    ).toBe(true);
    expect(report.changed).toBe(false);
    expect(report.files).toEqual({
      created: 0,
      replaced: 0,
      removed: 0,
      kept: Object.keys(readOutput(files)).length - 1,
    });
    expect(files.commits).toHaveLength(commits);
  });

  test('a second run rewrites only the files that a changed document affects', async () => {
    const router = createRouter();
    const files = createMemoryFiles();
    await runGenerate(router, files);
    router.models.set('video-provider/clip', modelDocument('video-provider/clip', { input: { type: 'object' } }));
    const report = await runGenerate(router, files);
    expect(report.requests).toMatchObject({ notModified: 2, fetched: 1 });
    expect(report.files).toMatchObject({ created: 1, replaced: 4, removed: 0 });
    expect(files.commits.at(-1)?.writes.slice(0, -1).map(shorten)).toEqual([
      'models/all.d.ts',
      'models/validators/(digest).js',
      'models/video-provider/clip.d.ts',
      'models/video-provider/clip.js',
      'models/video-provider/clip.schema.json',
    ]);
  });

  test('a second run removes the generated files of models that left the catalog, but not files of the user', async () => {
    const files = createMemoryFiles();
    await runGenerate(createRouter(), files);
    files.contents.set(`${out}/models/image-provider/photo-1/notes.md`, 'mine');
    const report = await runGenerate(createRouter(ids.slice(1)), files);
    expect(report.files).toMatchObject({ created: 0, replaced: 3, removed: 3 });
    expect(files.contents.get(`${out}/models/all.d.ts`)).not.toContain('photo-1');
    expect(files.contents.get(`${out}/models/image-provider/photo-1/notes.md`)).toBe('mine');
  });

  test('a second run requests a damaged cached document again without an entity tag if its files are missing', async () => {
    const router = createRouter(ids.slice(0, 1));
    const files = createMemoryFiles();
    await runGenerate(router, files);
    const cached = [...files.contents.keys()].find((path) => path.includes('/objects/')) ?? '';
    files.contents.set(cached, '{}');
    expect((await runGenerate(router, files)).requests).toMatchObject({ asked: 1, notModified: 1 });
    files.contents.delete(`${out}/models/${ids[0]}.js`);
    const report = await runGenerate(router, files);
    expect(report.requests).toMatchObject({ asked: 2, notModified: 0, fetched: 1 });
    expect(report.files).toMatchObject({ created: 1, replaced: 0 });
  });
});

describe('a model that fails', () => {
  test.each([
    ['a document that is not OpenAPI', '{"swagger":"2.0"}', 'document-not-openapi'],
    ['an HTML page', '<html></html>', 'document-not-json'],
    ['truncated JSON', '{"openapi":"3.0.4",', 'document-not-json'],
  ])(
    'a model that fails because of %s keeps its last good output and does not affect the others',
    async (_, text, code) => {
      const router = createRouter();
      const files = createMemoryFiles();
      await runGenerate(router, files);
      const before = readOutput(files);
      router.models.set('video-provider/clip', text);
      const report = await runGenerate(router, files);
      expect(report.models).toMatchObject({ listed: 3, selected: 3, generated: 2, failed: 1 });
      expect(report.diagnostics).toMatchObject([{ severity: 'error', code, model: 'video-provider/clip' }]);
      expect(readOutput(files)).toEqual(before);
      expect(report.changed).toBe(false);
    },
  );

  test('a model that fails because of the network is reported with status and request id', async () => {
    const router = createRouter();
    router.intercept = (_, url) => (url.pathname.includes('/clip/') ? { status: 500, body: {} } : undefined);
    const report = await runGenerate(router, createMemoryFiles());
    expect(report.models).toMatchObject({ generated: 1, failed: 2 });
    expect(report.diagnostics[0]?.message).toContain('status 500');
    expect(report.diagnostics[0]?.message).toContain('request id req-1');
  });

  test('requests a document again after a 304 for an unconditional request, and then reports it', async () => {
    const router = createRouter(ids.slice(0, 1));
    router.intercept = (_, url) => (url.pathname.endsWith('.json') ? { status: 304 } : undefined);
    const report = await runGenerate(router, createMemoryFiles());
    expect(report.requests).toMatchObject({ asked: 2, notModified: 0, fetched: 0 });
    expect(report.diagnostics).toMatchObject([{ code: 'document-not-read' }]);
  });
});

test.each([
  ['the credential is rejected in the middle of a run', { status: 401, body: {} }],
  ['the source becomes unreachable', { kind: 'no-response', because: 'refused', detail: 'ECONNREFUSED' } as const],
])('generate requests all documents and keeps the earlier output if %s', async (_, broken) => {
  const router = createRouter();
  const files = createMemoryFiles();
  await runGenerate(router, files);
  const before = readOutput(files);
  router.intercept = (_request, url) => (url.pathname.endsWith('.json') ? broken : undefined);
  const { models } = await runGenerate(router, files);
  expect(models).toMatchObject({ generated: 0, failed: ids.length, unread: ids.length });
  expect(readOutput(files)).toEqual(before);
});

describe('runs that fail', () => {
  test('generate fails and keeps the earlier output if the catalog is empty, unless allowEmpty is set', async () => {
    const files = createMemoryFiles();
    await runGenerate(createRouter(), files);
    const before = readOutput(files);
    await expect(runGenerate(createRouter([]), files)).rejects.toMatchObject({ code: 'catalog-empty' });
    expect(readOutput(files)).toEqual(before);
    expect((await runGenerate(createRouter([]), files, { allowEmpty: true })).files.removed).toBe(10);
  });

  test('generate fails if the globs match no model, with an error that lists the globs and some model ids', async () => {
    await expect(runGenerate(createRouter(), createMemoryFiles(), { only: ['nobody/*'] })).rejects.toMatchObject({
      message: 'no model of the catalog matches "nobody/*"',
      help: expect.stringMatching(/Correct --only or generate\.only: the catalog lists \S+\/\S+/),
    });
  });

  test('generate fails if the output folder cannot be written', async () => {
    const files = createMemoryFiles();
    const unwritable = {
      ...files,
      async openStaging(outDir: string | undefined) {
        const commit = (): never => {
          throw new Error('EACCES: permission denied');
        };
        return { ...(await files.openStaging(outDir)), commit };
      },
    };
    await expect(runGenerate(createRouter(), unwritable)).rejects.toMatchObject({
      code: 'output-unwritable',
      operation: 'applyWrites',
    });
  });
});

test('a check reports the changes and writes nothing, not even to the cache', async () => {
  const router = createRouter();
  const files = createMemoryFiles();
  const before = await runGenerate(router, files, { mode: 'check' });
  expect([before.changed, files.commits.length]).toEqual([true, 0]);
  await runGenerate(router, files);
  expect((await runGenerate(router, files, { mode: 'check' })).changed).toBe(false);
  router.models.set('image-provider/photo-1', modelDocument('image-provider/photo-1', { input: { type: 'object' } }));
  const commits = files.commits.length;
  expect(await runGenerate(router, files, { mode: 'check' })).toMatchObject({ changed: true, files: { replaced: 4 } });
  expect(files.commits).toHaveLength(commits);
});

test('generates the models that match a glob, and warns about a glob that matches no model', async () => {
  const report = await runGenerate(createRouter(), createMemoryFiles(), { only: ['video-*/*', 'nobody/*'] });
  expect(report.models).toMatchObject({ listed: 3, selected: 2, generated: 2, failed: 0 });
  expect(report.diagnostics).toMatchObject([{ severity: 'warning', code: 'selection-empty' }]);
});

test('reports how many models of earlier runs are removed because the globs no longer match them', async () => {
  const files = createMemoryFiles();
  await runGenerate(createRouter(), files);
  const only = ['image-provider/*'];
  const expected = (verb: string) => [
    { code: 'models-not-selected', message: expect.stringMatching(`^the files of 2 models ${verb} removed: --only`) },
  ];
  expect((await runGenerate(createRouter(), files, { only, mode: 'check' })).diagnostics).toMatchObject(
    expected('would be'),
  );
  expect((await runGenerate(createRouter(), files, { only })).diagnostics).toMatchObject(expected('were'));
  expect((await runGenerate(createRouter(), files, { only })).diagnostics).toEqual([]);
});

test('warns about a damaged lockfile, replaces it, and keeps the generated files', async () => {
  const files = createMemoryFiles();
  await runGenerate(createRouter(), files);
  files.contents.set(`${out}/switchyard.lock.json`, '{');
  const report = await runGenerate(createRouter(), files);
  expect(report.diagnostics).toMatchObject([{ severity: 'warning', code: 'lockfile-damaged' }]);
  expect(report.files).toMatchObject({ created: 0, replaced: 0, removed: 0 });
  expect((await runGenerate(createRouter(), files)).diagnostics).toEqual([]);
});

test('generate only reads schemas from the document of their model (MR-VER-03, MR-SCH-25)', async () => {
  const id = 'p/m';
  const elsewhere = { $ref: 'http://elsewhere.test/schema.json' };
  const input = { type: 'object', properties: { a: elsewhere, b: { type: 'string' } } };
  const router = createFakeRouter({ [id]: modelDocument(id, { input }) });
  const files = createMemoryFiles();
  const report = await runGenerate(router, files);
  const requested = router.requests.map(({ url }) => new URL(url).pathname);
  expect(requested).toEqual(['/v2/models', `/v2/models/${id}/openapi.json`]);
  expect(report.diagnostics.map(({ code }) => code)).toEqual(['reference-external']);
  expect(files.contents.get(`${out}/models/${id}.d.ts`)).toContain('b?: string');
});
