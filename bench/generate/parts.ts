import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { compilers } from '../fidelity/type-check.ts';
import { type Act, medianRun, medianRuns, type Program, type Run, runNode } from '../measure/process.ts';
import type { Part, Row } from './part.ts';
import { fillCache, generateProgram, type Served, type Setting, serve } from './setting.ts';

const here = import.meta.dirname;

/** From cache to files, against what must be done and against the usual tool. */
export async function measureTypes(setting: Setting): Promise<Part> {
  const served = await serve(setting, setting.documents.length);
  try {
    await fillCache(setting, served);
    const act = (name: string, args: (out: string) => Program): Act => {
      const out = join(setting.folder, `out-${name}`);
      return { program: args(out), before: () => setAside(out) };
    };
    const script = (name: string): Act => act(name, (out) => ({ args: [join(here, name), served.folder, out] }));
    const made = (name: string, ...extra: string[]): Act =>
      act(name, (out) => generateProgram(setting, served, out, ['--offline', ...extra]));
    const files = async (name: string, ...extra: string[]): Promise<Act> => {
      const list = await listFiles(setting, served, { name, extra });
      return act(`${name}-files`, (out) => ({ args: [join(here, 'write-files.mjs'), list, out] }));
    };
    const runs = await medianRuns(setting.runs, {
      floor: script('floor.mjs'),
      typeFiles: await files('types', '--types-only'),
      allFiles: await files('all'),
      types: made('types', '--types-only'),
      all: made('all'),
      outputs: made('outputs', '--output-validators'),
      peer: script('openapi-typescript-all.mjs'),
    });
    const row = (what: string, run: Run, target = ''): Row => {
      const share = !what.startsWith('switchyard') ? [] : [`${(run.ms / runs.peer.ms).toFixed(2)} of the peer`];
      return { what, run, ratio: run.ms / runs.floor.ms, target: [...share, target].filter(Boolean).join('; ') };
    };
    return {
      title: `From cache, ${served.documents.length} documents, output empty, whole process`,
      ratioTo: 'floor',
      rows: [
        row('floor: parse, emit a string, write', runs.floor),
        row('peer: openapi-typescript in one process', runs.peer),
        row('bare loop: writes the files of types only', runs.typeFiles),
        row('bare loop: writes those with input validators', runs.allFiles),
        row('switchyard, types only', runs.types, '≤ 6 × floor, ≤ 0.28 of the peer'),
        row('switchyard, with input validators', runs.all, '≤ 0.40 of the peer'),
        row('switchyard, with output validators too', runs.outputs, '≤ the peer'),
      ],
    };
  } finally {
    await served.server.stop();
  }
}

/** Paths and contents of an output, in one file. */
async function listFiles(
  setting: Setting,
  served: Served,
  { name, extra }: { name: string; extra: readonly string[] },
): Promise<string> {
  const out = join(setting.folder, `listed-${name}`);
  await runNode(generateProgram(setting, served, out, ['--offline', ...extra]));
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const list = `${out}.json`;
  await writeFile(list, JSON.stringify(paths.map((path) => [relative(out, path), readFileSync(path, 'utf8')])));
  return list;
}

let aside = 0;

/** Moved, not removed: a file system that has just removed thousands of files makes new ones slowly. */
async function setAside(out: string): Promise<void> {
  if (existsSync(out)) await rename(out, `${out}-aside-${aside++}`);
}

/** A thousand unchanged models. */
export async function measureUnchanged(setting: Setting): Promise<Part> {
  const served = await serve(setting, 1000);
  try {
    const out = join(setting.folder, 'unchanged');
    await runNode(generateProgram(setting, served, out));
    const list = join(setting.folder, 'conditional.json');
    await writeFile(
      list,
      JSON.stringify(
        served.documents.map(({ id, bytes }) => ({ path: `/v2/models/${id}/openapi.json`, tag: makeTag(bytes) })),
      ),
    );
    const { bare, conditional, offline, start } = await medianRuns(setting.runs, {
      bare: { program: { args: [join(here, 'conditional-client.mjs'), served.url, list] } },
      conditional: { program: generateProgram(setting, served, out) },
      offline: { program: generateProgram(setting, served, out, ['--offline']) },
      start: { program: { args: ['-e', '0'] } },
    });
    return {
      title: 'Nothing changed, 1,000 models, whole process of the built entry',
      ratioTo: 'its floor',
      rows: [
        { what: 'floor: Node that does nothing', run: start, ratio: 1, target: '' },
        { what: 'switchyard --offline', run: offline, ratio: offline.ms / start.ms, target: '≤ 4 × floor' },
        { what: 'floor: bare client, 1,000 conditional requests', run: bare, ratio: 1, target: '' },
        {
          what: 'switchyard, 1,000 conditional requests',
          run: conditional,
          ratio: conditional.ms / bare.ms,
          target: '≤ 2 × floor',
        },
      ],
    };
  } finally {
    await served.server.stop();
  }
}

function makeTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
}

/** Ten times the models. */
export async function measureScale(setting: Setting): Promise<Part> {
  const few = await measureFirstOutput(setting, 1000);
  const many = await measureFirstOutput(setting, 10_000);
  return {
    title: 'First output from cache',
    ratioTo: '1,000 models',
    rows: [
      { what: '1,000 models', run: few, ratio: 1, target: '' },
      { what: '10,000 models', run: many, ratio: many.ms / few.ms, target: '≤ 11 ×, < 400 MB' },
    ],
  };
}

async function measureFirstOutput(setting: Setting, count: number): Promise<Run> {
  const served = await serve(setting, count);
  try {
    await fillCache(setting, served);
    const out = join(setting.folder, `scale-${count}`);
    const program = generateProgram(setting, served, out, ['--offline']);
    return await medianRun(Math.min(setting.runs, 3), program, () => rm(out, { recursive: true, force: true }));
  } finally {
    await served.server.stop();
  }
}

/** What one model costs its consumer, alone and among ten thousand. */
export async function measureConsumer(setting: Setting): Promise<Part> {
  const rows: Row[] = [];
  const alone = await makeConsumer(setting, 1);
  const among = await makeConsumer(setting, 10_000);
  for (const compiler of ['5.9', '7'] as const) {
    const check = (cwd: string): Promise<Run> =>
      medianRun(setting.runs, { args: [compilers[compiler], '-p', 'tsconfig.json'], cwd });
    const [one, ofMany] = [await check(alone), await check(among)];
    rows.push({
      what: `TypeScript ${compiler}, one of one`,
      run: withoutCompilerPeak(one, compiler),
      ratio: 1,
      target: '',
    });
    rows.push({
      what: `TypeScript ${compiler}, one of 10,000`,
      run: withoutCompilerPeak(ofMany, compiler),
      ratio: ofMany.ms / one.ms,
      target: '≤ 1.2 × time and memory',
    });
  }
  return { title: 'A consumer of one model', ratioTo: 'one of one', rows };
}

// The native compiler is another process than the one that reports its memory.
function withoutCompilerPeak(run: Run, compiler: string): Run {
  return compiler === '7' ? { ...run, peakMb: undefined } : run;
}

async function makeConsumer(setting: Setting, count: number): Promise<string> {
  const served: Served = await serve(setting, count);
  const folder = join(setting.folder, `consumer-${count}`);
  try {
    const scope = join(folder, 'packages');
    await mkdir(join(folder, 'node_modules'), { recursive: true });
    await runNode(generateProgram(setting, served, scope));
    await symlink(scope, join(folder, 'node_modules', '@switchyard'), 'dir');
    const model = served.documents[0]?.id ?? '';
    await writeFile(
      join(folder, 'index.ts'),
      `import { model, type Input } from '@switchyard/models/${model}';\nimport type { Models } from '@switchyard/model-router';\nexport const id: keyof Models = model.id;\nexport type Seen = Input | Models['${model}']['output'];\n`,
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      preserveSymlinks: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));
    return folder;
  } finally {
    await served.server.stop();
  }
}
