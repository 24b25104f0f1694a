import { describe, expect, test } from 'vitest';
import { namePackages } from '../src/emit/emitted-file.ts';
import { createFakeRouter, type FakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, type MemoryFiles, memoryRoot, readOutput } from './memory-files.ts';
import { type Generation, prepareGeneration, previewGenerate, runGenerate } from './run-generate.ts';

const out = `${memoryRoot}/out`;
const ids = ['image-provider/photo-1', 'video-provider/clip'] as const;
const [photo, clip] = ids;
const otherDocument = modelDocument(clip, { input: { type: 'object', properties: { frames: { type: 'integer' } } } });

function createRouter(names: readonly string[] = ids): FakeRouter {
  return createFakeRouter(Object.fromEntries(names.map((id) => [id, modelDocument(id)])));
}

function empty(files: MemoryFiles, where: string, except = ''): void {
  for (const path of [...files.contents.keys()]) {
    if (path.includes(where) && (except === '' || !path.endsWith(except))) files.contents.delete(path);
  }
}

/** Runs the generator once, and forgets the requests of this run. `run` runs it again. */
async function prepared(): Promise<Generation> {
  const one = prepareGeneration(ids);
  await one.run();
  one.router.requests.length = 0;
  return one;
}

describe('an offline run', () => {
  test('an offline run sends no request and produces the same bytes from the cache', async () => {
    const { router, files, run } = await prepared();
    const before = readOutput(files);
    empty(files, out);
    const report = await run({ source: 'offline' });
    expect([router.requests, report.models.generated, report.diagnostics]).toEqual([[], 2, []]);
    expect(readOutput(files)).toEqual(before);
  });

  test('an offline run lists missing documents and keeps their last good output', async () => {
    const { files, run } = await prepared();
    const before = readOutput(files);
    empty(files, '/objects/');
    files.contents.delete(`${out}/models/${clip}.js`);
    const report = await run({ source: 'offline' });
    expect(report.diagnostics).toMatchObject([{ severity: 'error', code: 'document-not-cached', model: clip }]);
    expect(report.models).toMatchObject({ generated: 1, failed: 1 });
    expect(files.contents.get(`${out}/models/${photo}.js`)).toBe(before[`${out}/models/${photo}.js`]);
  });

  test('an offline run with a lockfile but without a cache lists every model as missing', async () => {
    const { files, run } = await prepared();
    empty(files, '/cache/');
    const report = await run({ source: 'offline', mode: 'check' });
    expect(report.diagnostics.map(({ code, model }) => [code, model])).toEqual(
      ids.map((id) => ['document-not-cached', id]),
    );
  });

  test('an offline run fails for a source that was never read', async () => {
    const { files } = await prepared();
    const other = { source: 'offline', outDir: `${memoryRoot}/other` } as const;
    const credential = { kind: 'bearer', value: 'sk-test' } as const;
    await expect(runGenerate(createRouter(), files, { ...other, credential })).rejects.toMatchObject({
      code: 'cache-empty',
    });
    const routerUrl = 'http://elsewhere.test';
    await expect(runGenerate(createRouter(), files, { ...other, routerUrl })).rejects.toMatchObject({
      code: 'cache-empty',
    });
    // Other gateway headers or another certificate count as another source.
    for (const caller of [{ headers: { 'x-tenant': 'blue' } }, { certificate: '-----BEGIN CERTIFICATE-----' }])
      await expect(runGenerate(createRouter(), files, { ...other, ...caller })).rejects.toMatchObject({
        code: 'cache-empty',
      });
    // The same origin in a different spelling has the same cache.
    expect(
      (await runGenerate(createRouter(), files, { ...other, routerUrl: 'HTTP://Router.test:80/' })).models.generated,
    ).toBe(2);
  });
});

describe('generate --frozen', () => {
  test('generate --frozen produces exactly the output in the lockfile after the catalog has changed', async () => {
    const { router, files, run } = await prepared();
    const before = readOutput(files);
    router.models.set(clip, otherDocument);
    router.models.set('p/new', modelDocument('p/new'));
    empty(files, out, 'switchyard.lock.json');
    const report = await run({ frozen: true });
    expect([router.requests, report.models.generated]).toEqual([[], 2]);
    expect(readOutput(files)).toEqual(before);
  });

  test('generate --frozen finds a locked document in the cache although the cache has a newer one', async () => {
    const { router, files, run } = await prepared();
    const before = readOutput(files);
    router.models.set(clip, otherDocument);
    await run({ outDir: `${memoryRoot}/other` });
    expect((await run({ frozen: true, source: 'offline', mode: 'check' })).changed).toBe(false);
    expect(readOutput(files)).toEqual(before);
  });

  test('generate --frozen sends unconditional requests for documents that are not in the cache', async () => {
    const { router, files, run } = await prepared();
    empty(files, '/cache/');
    empty(files, out, 'switchyard.lock.json');
    expect((await run({ frozen: true })).requests).toMatchObject({ pages: 0, asked: 2, fetched: 2 });
    expect(router.requests.some(({ headers }) => 'if-none-match' in headers)).toBe(false);
  });

  test('generate --frozen fails if a locked document is not in the cache and has changed at the source', async () => {
    const { router, files, run } = await prepared();
    const before = readOutput(files);
    empty(files, '/cache/');
    router.models.set(clip, otherDocument);
    files.contents.set(`${out}/models/${clip}.js`, 'drifted');
    await expect(run({ frozen: true })).rejects.toMatchObject({
      code: 'lock-unavailable',
      message: expect.stringMatching(
        new RegExp(`${clip}: the source has sha256:[0-9a-f]{12}, the lockfile sha256:[0-9a-f]{12}`),
      ),
    });
    expect(Object.keys(readOutput(files))).toEqual(Object.keys(before));
  });

  test('a frozen offline run fails if a document is not in the cache', async () => {
    const { files, run } = await prepared();
    empty(files, '/cache/');
    const failure = run({ frozen: true, source: 'offline', mode: 'check' });
    await expect(failure).rejects.toMatchObject({
      code: 'lock-unavailable',
      help: expect.stringContaining('--offline'),
    });
  });

  test('generate --frozen fails immediately if the credential is rejected', async () => {
    const { router, files, run } = await prepared();
    empty(files, '/cache/');
    router.intercept = () => ({ status: 401, body: {} });
    await expect(run({ frozen: true, concurrency: 1 })).rejects.toMatchObject({ code: 'source-unauthorised' });
    expect(router.requests).toHaveLength(1);
  });

  test('generate --frozen fails if its settings would produce different bytes', async () => {
    const { run } = await prepared();
    await expect(run({ frozen: true, packageNames: namePackages('@other') })).rejects.toMatchObject({
      code: 'lock-differs',
      message: expect.stringContaining('package.json'),
    });
  });

  test('generate --frozen fails if a different version of the generator wrote the lockfile, and reports both versions', async () => {
    const { files, run } = await prepared();
    const path = `${out}/switchyard.lock.json`;
    files.contents.set(path, (files.contents.get(path) ?? '').replace('"generator": "', '"generator": "9.'));
    files.contents.set(
      path,
      (files.contents.get(path) ?? '').replaceAll(/("models\/[^"]+": "sha256:)\w{6}/g, '$1000000'),
    );
    await expect(run({ frozen: true })).rejects.toMatchObject({
      code: 'lock-differs',
      help: expect.stringContaining('9.'),
    });
  });

  test('generate --frozen fails without a lockfile', async () => {
    await expect(runGenerate(createRouter(), createMemoryFiles(), { frozen: true })).rejects.toMatchObject({
      code: 'lock-missing',
    });
  });
});

test('a run produces the same files and lockfile regardless of the order of the catalog', async () => {
  const one = await prepared();
  const files = createMemoryFiles();
  await runGenerate(createRouter(ids.toReversed()), files, { concurrency: 1 });
  expect(readOutput(files)).toEqual(readOutput(one.files));
});

describe('a preview', () => {
  test('a preview returns exactly the bytes that generate would write, and writes nothing', async () => {
    const { router, files, run } = await prepared();
    router.models.set(clip, otherDocument);
    const [commits, stored] = [files.commits.length, files.stored.length];
    const preview = await previewGenerate(router, files);
    expect([files.commits.length, files.stored.length]).toEqual([commits, stored]);
    expect(preview.report).toMatchObject({ changed: true, files: { removed: 0 } });
    await run({});
    const previewed = [...preview.texts].map(([path, text]) => [`${out}/${path}`, text] as const);
    expect(Object.fromEntries(previewed.sort())).toEqual(readOutput(files));
  });

  test('a preview contains the last good output of a failing model', async () => {
    const { router, files } = await prepared();
    router.models.set(clip, 'no document');
    const preview = await previewGenerate(router, files);
    const path = `models/${clip}.js`;
    expect(preview.texts.get(path)).toBe(files.contents.get(`${out}/${path}`));
  });
});

describe('the document cache', () => {
  test('the document cache keeps entries that another run added during a run', async () => {
    const { files, run } = await prepared();
    empty(files, '/cache/');
    const slow = createRouter([photo]);
    let other: Promise<unknown> | undefined;
    const http = slow.http;
    slow.http = async (request) => {
      const answer = await http(request);
      other ??= run({ outDir: `${memoryRoot}/other` });
      await other;
      return answer;
    };
    await runGenerate(slow, files, { only: [photo] });
    expect((await run({ source: 'offline', outDir: `${memoryRoot}/third` })).models).toMatchObject({ failed: 0 });
  });

  test('the document cache keeps only the last five versions of a document', async () => {
    const { router, files, run } = await prepared();
    for (let version = 0; version < 8; version++) {
      router.models.set(clip, modelDocument(clip, { root: { info: { title: clip, version: String(version) } } }));
      await run({});
    }
    expect([...files.contents.keys()].filter((path) => path.includes('/objects/'))).toHaveLength(1 + 5);
  });
});
