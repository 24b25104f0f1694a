import { expect, test } from 'vitest';
import { verifyOutput } from '../src/index.ts';
import type { GenerateConfig } from '../src/run.ts';
import { createFakeRouter, modelDocument } from './fake-router.ts';
import { createMemoryFiles, type MemoryFiles, memoryRoot } from './memory-files.ts';
import { runGenerate } from './run-generate.ts';

const out = `${memoryRoot}/out`;
const model = 'image-provider/photo-1';
const manifest = `${out}/models/package.json`;

type Prepared = { files: MemoryFiles; again: (changes?: Partial<GenerateConfig>) => ReturnType<typeof runGenerate> };

// Made once: a run takes half a second.
const made = prepare(createMemoryFiles()).then(async ({ files, again }) => {
  await again();
  return files.contents;
});

async function prepare(files: MemoryFiles): Promise<Prepared> {
  const router = createFakeRouter({ [model]: modelDocument(model) });
  return { files, again: (changes = {}) => runGenerate(router, files, changes) };
}

async function generated(): Promise<Prepared> {
  const prepared = await prepare(createMemoryFiles());
  for (const [path, text] of await made) prepared.files.contents.set(path, text);
  return prepared;
}

function change(files: MemoryFiles, path: string, edit: (text: string) => string): void {
  files.contents.set(path, edit(files.contents.get(path) ?? ''));
}

const reprint =
  (spaces: number | string, edit: (manifest: object) => object = (same) => same) =>
  (text: string) =>
    JSON.stringify(edit(JSON.parse(text)), undefined, spaces);
const reversed = (value: object): object => Object.fromEntries(Object.entries(value).reverse());

const harmless: readonly { name: string; edit: (files: MemoryFiles) => void }[] = [
  {
    name: 'a checkout with CRLF line ends',
    edit: (files) => {
      for (const path of files.contents.keys())
        if (path.startsWith(out)) change(files, path, (text) => text.replaceAll('\n', '\r\n'));
    },
  },
  { name: 'a formatter that rewrote a manifest', edit: (files) => change(files, manifest, reprint('\t')) },
  {
    name: 'a tool that sorted a manifest',
    edit: (files) => change(files, manifest, reprint(2, reversed)),
  },
  {
    name: 'a version raised by hand',
    edit: (files) =>
      change(
        files,
        manifest,
        reprint(2, (before) => ({ ...before, version: '3.1.4' })),
      ),
  },
  {
    name: 'a formatter that rewrote every JSON file',
    edit: (files) => {
      for (const path of files.contents.keys())
        if (path.startsWith(out) && path.endsWith('.json') && !path.endsWith('tsconfig.json'))
          change(files, path, reprint(4));
    },
  },
];

test.each(harmless)('takes $name for no edit', async ({ edit }) => {
  const { files } = await generated();
  edit(files);
  expect(verifyOutput(out, files)).toMatchObject({ isSound: true, differences: { models: [], files: [] } });
});

test('neither a check nor a run touches files that were changed like that', async () => {
  const { files, again } = await generated();
  for (const { edit } of harmless.toReversed()) edit(files);
  const before = new Map(files.contents);
  expect(await again({ mode: 'check' })).toMatchObject({ changed: false, refused: [] });
  expect(await again()).toMatchObject({ changed: false, refused: [] });
  expect(new Map([...files.contents].filter(([path]) => path.startsWith(out)))).toEqual(
    new Map([...before].filter(([path]) => path.startsWith(out))),
  );
});

test('replaces files whose line ends a checkout has changed when their contents change', async () => {
  const { files, again } = await generated();
  for (const path of files.contents.keys())
    if (path.startsWith(out)) change(files, path, (text) => text.replaceAll('\n', '\r\n'));
  const report = await again({ outputValidators: true });
  expect(report).toMatchObject({ changed: true, refused: [] });
  expect(verifyOutput(out, files).isSound).toBe(true);
  expect(files.contents.get(`${out}/models/${model}.js`)).not.toContain('\r');
});

test('verify names the models of edited and lost files', async () => {
  const { files, again } = await generated();
  change(files, `${out}/models/${model}.d.ts`, (text) => `${text}\n// mine`);
  files.contents.delete(`${out}/models/README.md`);
  change(
    files,
    manifest,
    reprint(2, (before) => ({ ...before, sideEffects: true })),
  );
  expect(verifyOutput(out, files)).toMatchObject({
    isSound: false,
    differences: {
      models: [model],
      files: [
        { path: 'models/README.md', kind: 'missing', models: [] },
        { path: `models/${model}.d.ts`, kind: 'changed', models: [model] },
        { path: 'models/package.json', kind: 'changed', models: [] },
      ],
    },
  });
  expect((await again({ mode: 'check' })).refused).toEqual([`models/${model}.d.ts`, 'models/package.json']);
});

test('a check names the models and files that differ', async () => {
  const { files, again } = await generated();
  files.contents.delete(`${out}/models/${model}.js`);
  const { changed, differences } = await again({ mode: 'check' });
  expect(changed).toBe(true);
  expect(differences).toEqual({
    models: [model],
    files: [{ path: `models/${model}.js`, kind: 'missing', models: [model] }],
  });
});

test('verify refuses a folder without a lockfile, and one with the marks of a merge', async () => {
  const { files } = await generated();
  expect(() => verifyOutput(`${memoryRoot}/other`, files)).toThrow(/holds no switchyard\.lock\.json/);
  change(files, `${out}/switchyard.lock.json`, (text) => `<<<<<<< ours\n${text}`);
  expect(() => verifyOutput(out, files)).toThrow(/damaged/);
});

test('keeps the cache out of git, and marks the output as generated', async () => {
  const { files } = await generated();
  expect(files.contents.get(`${memoryRoot}/cache/v2/.gitignore`)).toBe('*\n');
  expect(files.contents.get(`${out}/.gitattributes`)).toMatch(/^\/models\/\*\* text eol=lf linguist-generated$/m);
});
