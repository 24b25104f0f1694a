import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { type OutputLayout, verifyOutput } from '../src/index.ts';
import { openTreeOf } from './diff-documents.ts';
import { modelDocument } from './fake-router.ts';
import { type MemoryFiles, memoryRoot } from './memory-files.ts';
import { type Generation, prepareGeneration } from './run-generate.ts';

const out = `${memoryRoot}/out`;
const model = 'image-provider/photo-1';
const folders = ['model-router', 'workflow-execution', 'models'] as const;
const manifest = `${out}/models/package.json`;

// Generated once for all tests, because a run takes half a second.
const generated = (async () => {
  const { files, run } = prepareGeneration([model]);
  await run();
  return files.contents;
})();

/** Returns files as after a first run with default settings. */
async function prepared(): Promise<Generation> {
  const one = prepareGeneration([model]);
  for (const [path, text] of await generated) one.files.contents.set(path, text);
  return one;
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
    name: 'a manually raised version',
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

test.each(harmless)('verify does not report $name as an edit', async ({ edit }) => {
  const { files } = await prepared();
  edit(files);
  expect(verifyOutput(out, files)).toMatchObject({ isSound: true, differences: { models: [], files: [] } });
});

test('neither a check nor a run rewrites files that only differ in layout, line ends or version', async () => {
  const { files, run } = await prepared();
  for (const { edit } of harmless.toReversed()) edit(files);
  const before = new Map(files.contents);
  expect(await run({ mode: 'check' })).toMatchObject({ changed: false, refused: [] });
  expect(await run()).toMatchObject({ changed: false, refused: [] });
  expect(new Map([...files.contents].filter(([path]) => path.startsWith(out)))).toEqual(
    new Map([...before].filter(([path]) => path.startsWith(out))),
  );
});

test('generate removes unknown members from the lockfile', async () => {
  const { files, run } = await prepared();
  const lock = `${out}/switchyard.lock.json`;
  const written = files.contents.get(lock);
  change(files, lock, (text) => text.replace('{', '{"foreign":{"path":"../../elsewhere"},'));
  expect(await run()).toMatchObject({ changed: true, refused: [] });
  expect(files.contents.get(lock)).toBe(written);
});

test('generate replaces files with CRLF line ends if their contents change', async () => {
  const { files, run } = await prepared();
  for (const path of files.contents.keys())
    if (path.startsWith(out)) change(files, path, (text) => text.replaceAll('\n', '\r\n'));
  const report = await run({ parts: 'all-validators' });
  expect(report).toMatchObject({ changed: true, refused: [] });
  expect(verifyOutput(out, files).isSound).toBe(true);
  expect(files.contents.get(`${out}/models/${model}.js`)).not.toContain('\r');
});

test('verify lists the models of edited and missing files', async () => {
  const { files, run } = await prepared();
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
  expect((await run({ mode: 'check' })).refused).toEqual([`models/${model}.d.ts`, 'models/package.json']);
});

test('verify rejects a folder without a lockfile, and a lockfile with merge conflict markers', async () => {
  const { files } = await prepared();
  expect(() => verifyOutput(`${memoryRoot}/other`, files)).toThrow(/has no switchyard\.lock\.json/);
  change(files, `${out}/switchyard.lock.json`, (text) => `<<<<<<< ours\n${text}`);
  expect(() => verifyOutput(out, files)).toThrow(/damaged/);
});

test('generate writes a .gitignore for the cache and a .gitattributes that marks the output as generated', async () => {
  const { files } = await prepared();
  expect(files.contents.get(`${memoryRoot}/cache/v2/.gitignore`)).toBe('*\n');
  expect(files.contents.get(`${out}/.gitattributes`)).toMatch(/^\/models\/\*\* text eol=lf linguist-generated$/m);
});

function readManifest(files: MemoryFiles, folder: string): Record<string, unknown> {
  return JSON.parse(files.contents.get(`${out}/${folder}/package.json`) ?? '{}');
}

function bumpByHand(files: MemoryFiles, folder: string, version: string): void {
  const text = JSON.stringify({ ...readManifest(files, folder), version }, undefined, '\t');
  files.contents.set(`${out}/${folder}/package.json`, text);
}

const versionsIn = (files: MemoryFiles): unknown[] => folders.map((folder) => readManifest(files, folder)['version']);
const peersIn = (files: MemoryFiles): unknown => Object.values(readManifest(files, 'models')['peerDependencies'] ?? {});
const outputLayout: OutputLayout = { layout: 'packages', peers: 'any-version' };

test('generated packages are private by default and accept any version of each other', async () => {
  const { files, run } = await prepared();
  for (const folder of folders) expect(readManifest(files, folder)).toMatchObject({ private: true, version: '0.1.0' });
  expect(peersIn(files)).toEqual(['*']);
  await run({ outputLayout: { ...outputLayout, peers: 'workspace-protocol' } });
  expect(peersIn(files)).toEqual(['workspace:*']);
});

test('generated packages have the configured licence, author and registry if they are published', async () => {
  const { files, run } = await prepared();
  const publishConfig = { registry: 'https://registry.example', access: 'public' };
  const publish = { access: 'restricted', publishConfig } as const;
  await run({ outputLayout: { ...outputLayout, manifest: { author: 'A. Person' }, publish } });
  for (const folder of folders) {
    expect(readManifest(files, folder)).toMatchObject({
      license: 'UNLICENSED',
      author: 'A. Person',
      publishConfig: { registry: 'https://registry.example', access: 'restricted' },
    });
    expect(readManifest(files, folder)).not.toHaveProperty('private');
  }
  expect(peersIn(files)).toEqual(['^0.1.0']);
});

test('generate keeps a version that was raised by hand, and uses it in the version ranges of other packages', async () => {
  const { router, files, run } = await prepared();
  const publish = { ...outputLayout, publish: { access: 'public' } } as const;
  bumpByHand(files, 'model-router', '2.0.0');
  bumpByHand(files, 'models', '1.1.0-beta.1');
  router.models.set(model, modelDocument(model, { input: { type: 'object' } }));
  const report = await run({ outputLayout: { ...publish, manifest: { license: 'MIT' } } });
  expect(report.refused).toEqual([]);
  expect(readManifest(files, 'models')['license']).toBe('MIT');
  expect(versionsIn(files)).toEqual(['2.0.0', '0.1.0', '1.1.0-beta.1']);
  expect(peersIn(files)).toEqual(['^2.0.0']);
});

test('generate writes the version in the settings, and a check reports packages with another version', async () => {
  const { files, run } = await prepared();
  const version = { kind: 'fixed', version: '7.0.0' } as const;
  expect(await run({ version, mode: 'check' })).toMatchObject({
    changed: true,
    differences: {
      files: folders.map((folder) => ({ path: `${folder}/package.json`, kind: 'outdated' })).sort(byPath),
    },
  });
  await run({ version });
  expect(versionsIn(files)).toEqual(['7.0.0', '7.0.0', '7.0.0']);
  expect(await run({ mode: 'check' })).toMatchObject({ changed: false });
});

function byPath(left: { path: string }, right: { path: string }): number {
  return left.path < right.path ? -1 : 1;
}

test('generate raises a version only once for all changes since the last release', async () => {
  const { router, files, run } = await prepared();
  for (const folder of folders) bumpByHand(files, folder, '1.4.2');
  const paths = [...files.contents].filter(([path]) => path.startsWith(`${out}/`));
  const base = openTreeOf(paths.map(([path, contents]) => ({ path: path.slice(out.length + 1), contents })));
  const raised = { version: { kind: 'raised', base } } as const;
  const withSize = { type: 'object', properties: { size: { type: 'integer' } } };
  router.models.set(model, modelDocument(model, { input: { ...withSize, required: ['size'] } }));
  await run(raised);
  expect(versionsIn(files)).toEqual(['1.4.2', '1.4.2', '2.0.0']); // A new required property breaks callers.
  expect(await run({ ...raised, mode: 'check' })).toMatchObject({ changed: false });
  bumpByHand(files, 'models', '3.0.0');
  await run(raised); // The changelog has the version that was set by hand.
  expect(versionsIn(files)).toEqual(['1.4.2', '1.4.2', '3.0.0']);
  expect(await run({ ...raised, mode: 'check' })).toMatchObject({ changed: false });
});

test('generate writes plain files with relative imports in folder layout', async () => {
  const { files, run } = prepareGeneration([model]);
  const folder = { outputLayout: { ...outputLayout, layout: 'folder' } } as const;
  await run(folder);
  const output = new Map([...files.contents].filter(([path]) => path.startsWith(`${out}/`)));
  expect([...output.keys()].filter((path) => /tsconfig|\/client\.|paths-client\./.test(path))).toEqual([]);
  const manifests = [...output].filter(([path]) => path.endsWith('/package.json'));
  expect(manifests.map(([path]) => path.slice(out.length + 1, -'/package.json'.length)).sort()).toEqual([
    ...['model-router', 'models', 'workflow-execution'],
  ]);
  for (const [, text] of manifests) expect(JSON.parse(text)).not.toHaveProperty('name');
  const specifier = /(?:\bfrom|\bimport|\bdeclare module|\bimport\()\s*["']([^"']+)["']/g;
  const imports = [...output].flatMap(([path, text]) =>
    /\.(?:js|d\.ts)$/.test(path)
      ? [...text.matchAll(specifier)].map(([, target = '']) => ({
          path,
          target: join(dirname(path), target),
          named: target,
        }))
      : [],
  );
  const isPeer = (named: string): boolean => named.startsWith('node:');
  const lost = imports.filter(({ target, named }) => !isPeer(named) && !exists(target, output));
  expect(lost).toEqual([]);
  expect(imports).toContainEqual(
    expect.objectContaining({ path: `${out}/models/${model}.d.ts`, target: `${out}/model-router/index.js` }),
  );
});

function exists(target: string, output: ReadonlyMap<string, string>): boolean {
  return output.has(target) || output.has(target.replace(/\.js$/, '.d.ts'));
}
