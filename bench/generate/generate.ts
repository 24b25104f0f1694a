import { existsSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchDocument, multiply, readBenchDocuments, tagOf, writeDocuments } from '../documents.ts';
import { compilers } from '../fidelity/check-types.ts';
import {
  type Act,
  entryOf,
  installProduct,
  measureParts,
  medianRuns,
  type Program,
  type Run,
  runNode,
  startChild,
  withWorkingFolder,
} from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { ratio, type Table } from '../table.ts';

const here = import.meta.dirname;

/** Measures time and memory of `switchyard generate`, and compares them with lower bounds and with openapi-typescript. */
export function measureGenerate(options: BenchOptions): Promise<Table[]> {
  return withWorkingFolder(options, async (folder) => {
    const entry = entryOf(await installProduct(join(folder, 'product')));
    const setting = { documents: readBenchDocuments(options), folder, entry, runs: options.runs };
    return measureParts(options, {
      types: () => measureTypes(setting),
      unchanged: () => measureUnchanged(setting),
      scale: () => measureScale(setting),
      consumer: () => measureConsumer(setting),
    });
  });
}

type Setting = { documents: readonly BenchDocument[]; folder: string; entry: string; runs: number };
/** A catalog with a certain number of models, and a running router that serves it. */
type Served = {
  documents: readonly BenchDocument[];
  catalog: string;
  url: string;
  /** Returns the program that runs `generate` on this catalog. */
  generate(out: string, ...flags: string[]): Program;
};

async function withCatalog<T>(setting: Setting, count: number, measure: (served: Served) => Promise<T>): Promise<T> {
  const { folder, entry } = setting;
  const documents = multiply(setting.documents, count);
  const catalog = join(folder, `catalog-${count}`);
  await writeDocuments(documents, catalog);
  const server = await startChild('generate/serve-catalog.ts', [catalog]);
  const url = `http://127.0.0.1:${server.message}`;
  const source = ['--router-url', url, '--scope', '@switchyard', '--cache', join(folder, `cache-${count}`)];
  const generate: Served['generate'] = (out, ...flags) => ({
    args: [entry, 'generate', ...source, '--out', out, ...flags],
    cwd: folder,
    env: { SWITCHYARD_API_KEY: 'sk-sandbox-bench' },
  });
  try {
    await runNode(generate(join(folder, 'first'))); // fills the cache
    await removeLater(join(folder, 'first'));
    return await measure({ documents, catalog, url, generate });
  } finally {
    await server.stop();
  }
}

let removals = 0;

/** Renames a folder instead of removing it: after removing thousands of files, file systems create new ones slowly. */
async function removeLater(out: string): Promise<void> {
  if (existsSync(out)) await rename(out, `${out}-removed-${removals++}`);
}

const row = (what: string, run: Run, floor: Run, peer?: Run): string[] => [
  ...[what, `${Math.round(run.ms)}`, ratio(run.ms, floor.ms)],
  ...[peer === undefined ? '' : ratio(run.ms, peer.ms), Number.isNaN(run.peakMb) ? '' : `${Math.round(run.peakMb)}`],
];

/** Measures the generation of all files from cached documents. */
function measureTypes(setting: Setting): Promise<Table> {
  return withCatalog(setting, 400, async ({ documents, catalog, generate }) => {
    const act = (name: string, program: (out: string) => Program): Act => {
      const out = join(setting.folder, `out-${name}`);
      return { program: program(out), before: () => removeLater(out) };
    };
    const script = (name: string): Act => act(name, (out) => ({ args: [join(here, name), catalog, out] }));
    const runs = await medianRuns(setting.runs, {
      floor: script('floor.mjs'),
      types: act('types', (out) => generate(out, '--offline', '--types-only')),
      all: act('all', (out) => generate(out, '--offline')),
      peer: script('openapi-typescript-all.mjs'),
    });
    const { floor, types, all, peer } = runs;
    return {
      title: `Packages of ${documents.length} models from cached documents, whole process`,
      head: ['', 'ms', 'of the floor', 'of openapi-typescript', 'peak MB'],
      rows: [
        row('floor: parse, write a string per model', floor, floor, peer),
        row('openapi-typescript, one process', peer, floor, peer),
        row('switchyard, types only', types, floor, peer),
        row('switchyard, with input validators', all, floor, peer),
      ],
    };
  });
}

function measureUnchanged(setting: Setting): Promise<Table> {
  return withCatalog(setting, 1000, async ({ documents, url, generate }) => {
    const out = join(setting.folder, 'unchanged');
    await runNode(generate(out));
    const list = join(setting.folder, 'conditional.json');
    const requests = documents.map(({ id, bytes }) => ({ path: `/v2/models/${id}/openapi.json`, tag: tagOf(bytes) }));
    await writeFile(list, JSON.stringify(requests));
    const { start, offline, bare, conditional } = await medianRuns(setting.runs, {
      start: { program: { args: ['-e', '0'] } },
      offline: { program: generate(out, '--offline') },
      bare: { program: { args: [join(here, 'conditional-client.mjs'), url, list] } },
      conditional: { program: generate(out) },
    });
    return {
      title: 'Nothing changed, 1,000 models, whole process',
      head: ['', 'ms', 'of its floor', '', 'peak MB'],
      rows: [
        row('floor: Node that does nothing', start, start),
        row('switchyard --offline', offline, start),
        row('floor: 1,000 conditional requests', bare, bare),
        row('switchyard, 1,000 conditional requests', conditional, bare),
      ],
    };
  });
}

async function measureScale(setting: Setting): Promise<Table> {
  const measure = (count: number): Promise<Run> =>
    withCatalog(setting, count, async ({ generate }) => {
      const out = join(setting.folder, `scale-${count}`);
      const act = { program: generate(out, '--offline'), before: () => removeLater(out) };
      return (await medianRuns(Math.min(setting.runs, 3), { act })).act;
    });
  const [few, many] = [await measure(1000), await measure(10_000)];
  return {
    title: 'First output from cached documents',
    head: ['', 'ms', 'of 1,000 models', '', 'peak MB'],
    rows: [row('1,000 models', few, few), row('10,000 models', many, few)],
  };
}

/** Measures the time to compile a program that imports one model, from a small and a large package. */
async function measureConsumer(setting: Setting): Promise<Table> {
  const single = await makeConsumer(setting, 1);
  const ofMany = await makeConsumer(setting, 10_000);
  const rows: string[][] = [];
  for (const version of ['5.9', '7'] as const) {
    const check = (cwd: string): Act => ({ program: { args: [compilers[version], '-p', '.'], cwd } });
    const runs = await medianRuns(setting.runs, { one: check(single), many: check(ofMany) });
    // The native compiler is a child of the process that reports its memory.
    const peakMb = (run: Run): Run => (version === '7' ? { ...run, peakMb: Number.NaN } : run);
    rows.push(row(`TypeScript ${version}, a catalog of one model`, peakMb(runs.one), runs.one));
    rows.push(row(`TypeScript ${version}, a catalog of 10,000 models`, peakMb(runs.many), runs.one));
  }
  return { title: 'Compiling a program that uses one model', head: ['', 'ms', 'of one model', '', 'peak MB'], rows };
}

function makeConsumer(setting: Setting, count: number): Promise<string> {
  return withCatalog(setting, count, async ({ documents, generate }) => {
    const folder = join(setting.folder, `consumer-${count}`);
    await mkdir(join(folder, 'node_modules'), { recursive: true });
    await runNode(generate(join(folder, 'packages'), '--offline'));
    await symlink(join(folder, 'packages'), join(folder, 'node_modules', '@switchyard'), 'dir');
    const model = documents[0]?.id ?? '';
    const lines = [
      `import { model, type Input } from '@switchyard/models/${model}';`,
      "import type { Models } from '@switchyard/model-router';",
      'export const id: keyof Models = model.id;',
      `export type Seen = Input | Models['${model}']['output'];`,
    ];
    await writeFile(join(folder, 'index.ts'), `${lines.join('\n')}\n`);
    const modules = { module: 'esnext', moduleResolution: 'bundler', preserveSymlinks: true };
    const checks = { strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', types: [] };
    const config = { compilerOptions: { ...checks, ...modules }, files: ['index.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return folder;
  });
}
