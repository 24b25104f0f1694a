import { describe, expect, test } from 'vitest';
import { type GenerateConfig, packageNamesIn } from '../src/config.ts';
import { digestOf } from '../src/digest.ts';
import { openPrints } from '../src/output/prints.ts';
import { createFakeRouter, type FakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, type MemoryFiles, memoryRoot } from './memory-files.ts';
import { configWith, runGenerate } from './run-generate.ts';

const out = `${memoryRoot}/out`;
const [photo, clip] = ['image-provider/photo-1', 'video-provider/clip'];
const dangling = { input: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } };
const offline = { source: 'offline' } as const;

type Prepared = { router: FakeRouter; files: MemoryFiles; run: typeof runAgain; made: Record<string, string> };
declare function runAgain(changes?: Partial<GenerateConfig>): ReturnType<typeof runGenerate>;

/** What one run left, with its output taken away. */
async function prepared(first: Partial<GenerateConfig> = {}): Promise<Prepared> {
  const router = createFakeRouter({ [photo]: modelDocument(photo), [clip]: modelDocument(clip, dangling) });
  const files = createMemoryFiles();
  const run = (changes: Partial<GenerateConfig> = {}) => runGenerate(router, files, { ...first, ...changes });
  await run();
  const made = outputOf(files);
  empty(files, out);
  return { router, files, run, made };
}

function outputOf(files: MemoryFiles): Record<string, string> {
  return Object.fromEntries([...files.contents].filter(([path]) => path.startsWith(out)).sort());
}

function empty(files: MemoryFiles, where: string): void {
  for (const path of [...files.contents.keys()]) if (path.includes(where)) files.contents.delete(path);
}

function packsOf(files: MemoryFiles): string[] {
  return [...files.contents.keys()].filter((path) => path.endsWith('.pack'));
}

test('an output that was taken away comes back, and no document is read for it', async () => {
  const { files, run, made } = await prepared();
  empty(files, '/objects/');
  const report = await run(offline);
  expect(outputOf(files)).toEqual(made);
  expect(report.diagnostics).toMatchObject([{ code: 'reference-dangling', model: clip }]);
});

test('online, each model is asked for and none is printed again', async () => {
  const { files, run, made } = await prepared();
  empty(files, '/objects/');
  expect((await run()).requests).toMatchObject({ asked: 2, notModified: 2, fetched: 0 });
  expect(outputOf(files)).toEqual(made);
});

test('a document that has changed is printed anew, the others are not', async () => {
  const { router, files, run, made } = await prepared();
  empty(files, '/objects/');
  router.models.set(photo, modelDocument(photo, { input: { type: 'object', properties: { b: { type: 'string' } } } }));
  await run();
  const changed = Object.entries(outputOf(files)).filter(([path, text]) => made[path] !== text);
  expect(changed.map(([path]) => path)).toContain(`${out}/models/${photo}.d.ts`);
  expect(changed.map(([path]) => path)).not.toContain(`${out}/models/${clip}.d.ts`);
  const now = outputOf(files);
  empty(files, out);
  empty(files, '/objects/');
  await run(offline);
  expect(outputOf(files)).toEqual(now);
});

test('a run that changes an intact output leaves the pack to those that find none', async () => {
  const { router, files, run } = await prepared();
  await run(offline);
  const packs = packsOf(files).map((path) => files.contents.get(path));
  router.models.set(photo, modelDocument(photo, { input: { type: 'object', properties: { b: { type: 'string' } } } }));
  expect((await run()).changed).toBe(true);
  expect(packsOf(files).map((path) => files.contents.get(path))).toEqual(packs);
});

test('each set of settings has prints of its own, and a run of some models keeps those of the others', async () => {
  const { files, run, made } = await prepared();
  await run({ typesOnly: true });
  await run({ only: [photo] });
  empty(files, out);
  empty(files, '/objects/');
  await run(offline);
  expect(outputOf(files)).toEqual(made);
});

test('a check believes no print', async () => {
  const { files, run } = await prepared();
  await run();
  empty(files, '/objects/');
  const report = await run({ ...offline, mode: 'check' });
  expect(report.diagnostics.map(({ code }) => code)).toEqual(['document-not-cached', 'document-not-cached']);
});

test('without a credential that could seal them no prints are kept', async () => {
  const { files, run, made } = await prepared({ credential: undefined });
  expect(packsOf(files)).toEqual([]);
  await run(offline);
  expect(outputOf(files)).toEqual(made);
});

test('a pack that cannot be read counts as absent', async () => {
  const { router, files, made } = await prepared();
  const open = (): never => {
    throw new Error('EISDIR: illegal operation on a directory, read');
  };
  await runGenerate(router, { ...files, openSpool: () => ({ ...files.openSpool(), open }) }, offline);
  expect(outputOf(files)).toEqual(made);
});

test('what other code of the generator printed is printed anew', async () => {
  const files = createMemoryFiles();
  const settings = { packageNames: packageNamesIn('@a'), generatorVersion: '1', parts: 'types' } as const;
  const open = (code: string) =>
    openPrints(configWith({}), files, { settings, code: digestOf(code), spool: files.openSpool() });
  const from = digestOf('inputs');
  const printed = open('one');
  printed.add(photo, from, { files: [], diagnostics: [] });
  await printed.save();
  expect(open('one').recall(photo, from)).toBeDefined();
  expect(open('one').recall(photo, digestOf('others'))).toBeUndefined();
  expect(open('another').recall(photo, from)).toBeUndefined();
});

describe.each<{ title: string; forge: (pack: string) => string | Promise<string> }>([
  { title: 'code in place of types', forge: (pack) => pack.replaceAll('export interface', 'import("x"); interface') },
  { title: 'other diagnostics', forge: (pack) => pack.replace('reference-dangling', 'reference-dandling') },
  { title: 'another path', forge: (pack) => pack.replaceAll('models/image-provider', '../odels/mage-provider') },
  { title: 'a last byte that differs', forge: (pack) => `${pack.slice(0, -1)}${pack.endsWith('0') ? '1' : '0'}` },
  { title: 'no seal', forge: (pack) => pack.slice(0, -64) },
  { title: 'an end that is missing', forge: (pack) => pack.slice(0, pack.length / 2) },
  { title: 'nothing in it', forge: () => '' },
  {
    title: 'the seal of another credential',
    forge: async () => {
      const { files } = await prepared({ credential: { kind: 'bearer', value: 'sk-test' } });
      return files.contents.get(packsOf(files)[0] ?? '') ?? '';
    },
  },
])('a pack with $title', ({ forge }) => {
  test('counts as absent', async () => {
    const { files, run, made } = await prepared();
    const [path = ''] = packsOf(files);
    const pack = files.contents.get(path) ?? '';
    const forged = await forge(pack);
    expect(forged).not.toBe(pack);
    files.contents.set(path, forged);
    const report = await run(offline);
    expect(outputOf(files)).toEqual(made);
    expect(report.diagnostics).toMatchObject([{ code: 'reference-dangling', model: clip }]);
    expect(files.contents.get(path)).toBe(pack); // and is written anew
  });
});
