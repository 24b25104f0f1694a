import { describe, expect, test } from 'vitest';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, memoryRoot, readOutput } from './memory-files.ts';
import { type Generation, prepareGeneration, runGenerate } from './run-generate.ts';

const out = `${memoryRoot}/out`;
const [photo, clip] = ['image-provider/photo-1', 'video-provider/clip'];
const otherInput = { input: { type: 'object', properties: { frames: { type: 'integer' } } } };

/** Runs the generator twice, so that the second run changed nothing, and forgets the requests. */
async function prepared(): Promise<Generation> {
  const one = prepareGeneration([photo, clip]);
  await one.run();
  await one.run();
  one.router.requests.length = 0;
  return one;
}

describe.each([
  {
    title: 'a document',
    change: ({ router }: Generation) => void router.models.set(clip, modelDocument(clip, otherInput)),
    expected: { requests: { asked: 2, notModified: 1, fetched: 1 }, changed: true },
  },
  {
    title: 'a catalog entry',
    change: ({ router }: Generation) => {
      const { http } = router;
      router.http = async (request) => {
        const response = await http(request);
        if (response.kind !== 'response' || !request.url.includes('limit=')) return response;
        const text = new TextDecoder().decode(response.bytes).replace('"no"', '"yes"');
        return { ...response, bytes: new TextEncoder().encode(text) };
      };
    },
    expected: { requests: { asked: 2, notModified: 2 }, changed: true },
  },
  {
    title: 'a removed model',
    change: ({ router }: Generation) => void router.models.delete(clip),
    expected: { models: { listed: 1, generated: 1 }, changed: true },
  },
  {
    title: 'an added model',
    change: ({ router }: Generation) => void router.models.set('text-provider/new', modelDocument('text-provider/new')),
    expected: { models: { listed: 3, generated: 3 }, requests: { fetched: 1 }, changed: true },
  },
  {
    title: 'a deleted file',
    change: ({ files }: Generation) => void files.contents.delete(`${out}/models/${photo}.d.ts`),
    expected: { files: { created: 1 }, changed: true },
  },
  {
    title: 'an edited file',
    change: ({ files }: Generation) => void files.contents.set(`${out}/models/${photo}.d.ts`, 'mine'),
    expected: { refused: [`models/${photo}.d.ts`], changed: true },
  },
  {
    title: 'a deleted lockfile',
    change: ({ files }: Generation) => void files.contents.delete(`${out}/switchyard.lock.json`),
    expected: { changed: true },
  },
  {
    title: 'a changed setting',
    settings: { parts: 'types' } as const,
    change: () => {},
    expected: { changed: true },
  },
  {
    title: 'a model that can no longer be read',
    change: ({ router }: Generation) => {
      router.intercept = (_, url) => (url.pathname.includes('clip') ? { status: 404, body: {} } : undefined);
    },
    expected: { models: { generated: 1, failed: 1 }, diagnostics: [{ code: 'document-withheld', model: clip }] },
  },
])('a run after a change of the input or output ($title)', ({ change, expected, settings = {} }) => {
  test('generate detects the change and produces the same output as a first run', async () => {
    const all = await prepared();
    change(all);
    expect(await all.run(settings)).toMatchObject(expected);
    const after = createMemoryFiles();
    await runGenerate(all.router, after, settings);
    const fresh = readOutput(after);
    if (!('refused' in expected) && !('diagnostics' in expected)) expect(readOutput(all.files)).toEqual(fresh);
  });
});

test('generate prints every model again after another version of the generator', async () => {
  const { files, run } = await prepared();
  for (const [path, text] of files.contents)
    if (path.endsWith('index.json'))
      files.contents.set(path, text.replace(/(?<="outputs":{"[^"]+":"sha256:)......../, '00000000'));
  for (const path of files.contents.keys()) if (path.includes('/objects/')) files.contents.delete(path);
  expect((await run({ source: 'offline' })).diagnostics.map(({ code }) => code)).toEqual([
    'document-not-cached',
    'document-not-cached',
  ]);
});

test('a check prints every model again', async () => {
  const { files, run } = await prepared();
  for (const path of files.contents.keys()) if (path.includes('/objects/')) files.contents.delete(path);
  expect((await run({ source: 'offline', mode: 'check' })).diagnostics.map(({ code }) => code)).toEqual([
    'document-not-cached',
    'document-not-cached',
  ]);
});

test('generate produces the same output after the cache was lost', async () => {
  const { files, run } = await prepared();
  for (const path of files.contents.keys()) if (path.includes('/cache/')) files.contents.delete(path);
  expect(await run()).toMatchObject({ models: { generated: 2 }, requests: { fetched: 2 }, changed: false });
});

test('every run repeats the diagnostics of a document', async () => {
  const input = { $ref: '#/components/schemas/Nowhere' };
  const router = createFakeRouter({ [photo]: modelDocument(photo, { input }) });
  const files = createMemoryFiles();
  for (let run = 0; run < 3; run++)
    expect((await runGenerate(router, files)).diagnostics).toMatchObject([
      { code: 'reference-dangling', model: photo },
    ]);
});
