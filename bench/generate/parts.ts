import { createHash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compilers } from '../fidelity/type-check.ts';
import { type Act, medianRun, medianRuns, type Program, type Run, runNode } from '../measure/process.ts';
import type { Part, Row } from './part.ts';
import { fillCache, forgetPrints, generateProgram, type Served, type Setting, serve } from './setting.ts';

const here = import.meta.dirname;

/** From cache to files, against what must be done and against the usual tool. */
export async function measureTypes(setting: Setting): Promise<Part> {
  const served = await serve(setting, setting.documents.length);
  try {
    await fillCache(setting, served);
    const act = (name: string, args: (out: string) => Program, first?: () => Promise<void>): Act => {
      const out = join(setting.folder, `out-${name}`);
      const before = async (): Promise<void> => {
        await rm(out, { recursive: true, force: true });
        await first?.();
      };
      return { program: args(out), before };
    };
    const script = (name: string): Act => act(name, (out) => ({ args: [join(here, name), served.folder, out] }));
    const made = (name: string, first: () => Promise<void>, ...extra: string[]): Act =>
      act(name, (out) => generateProgram(setting, served, out, ['--offline', ...extra]), first);
    const forget = (): Promise<void> => forgetPrints(served);
    const keep = async (): Promise<void> => {}; // what the act before it printed
    const runs = await medianRuns(setting.runs, {
      floor: script('floor.mjs'),
      typesAnew: made('types-anew', forget, '--types-only'),
      types: made('types', keep, '--types-only'),
      allAnew: made('all-anew', forget),
      all: made('all', keep),
      outputsAnew: made('outputs-anew', forget, '--output-validators'),
      peer: script('openapi-typescript-all.mjs'),
    });
    const row = (what: string, run: Run, target = ''): Row => {
      const speed = run === runs.floor || run === runs.peer ? [] : [`${(runs.peer.ms / run.ms).toFixed(1)} × as fast`];
      return { what, run, ratio: run.ms / runs.floor.ms, target: [...speed, target].filter(Boolean).join('; ') };
    };
    return {
      title: `From cache, ${served.documents.length} documents, whole process`,
      ratioTo: 'floor',
      rows: [
        row('floor: parse, emit a string, write', runs.floor),
        row('openapi-typescript in one process', runs.peer),
        row('switchyard, types only', runs.types, '≤ 2 × floor, ≥ 10 × as fast as openapi-typescript'),
        row('the same, each model printed for the first time', runs.typesAnew),
        row('switchyard, input validators too', runs.all),
        row('the same, each model printed for the first time', runs.allAnew, '≤ half of openapi-typescript'),
        row('output validators too, printed for the first time', runs.outputsAnew, '≤ openapi-typescript'),
      ],
    };
  } finally {
    await served.server.stop();
  }
}

/** A thousand models, none of them changed. */
export async function measureUnchanged(setting: Setting): Promise<Part> {
  const served = await serve(setting, 1000);
  try {
    const out = join(setting.folder, 'unchanged');
    await runNode(generateProgram(setting, served, out));
    const list = join(setting.folder, 'conditional.json');
    await writeFile(
      list,
      JSON.stringify(
        served.documents.map(({ id, bytes }) => ({ path: `/v2/models/${id}/openapi.json`, tag: tagOf(bytes) })),
      ),
    );
    const { bare, asking, offline, start } = await medianRuns(setting.runs, {
      bare: { program: { args: [join(here, 'conditional-client.mjs'), served.url, list] } },
      asking: { program: generateProgram(setting, served, out) },
      offline: { program: generateProgram(setting, served, out, ['--offline']) },
      start: { program: { args: ['-e', '0'] } },
    });
    return {
      title: 'Nothing changed, 1,000 models, whole process of the built entry',
      ratioTo: 'bare client',
      rows: [
        { what: 'Node that does nothing', run: start, ratio: start.ms / bare.ms, target: '' },
        { what: 'bare keep-alive client: 1,000 conditional requests', run: bare, ratio: 1, target: '' },
        {
          what: 'switchyard, 1,000 conditional requests',
          run: asking,
          ratio: asking.ms / bare.ms,
          target: '≤ 2 × bare client',
        },
        { what: 'switchyard --offline', run: offline, ratio: offline.ms / bare.ms, target: '≤ 100 ms' },
      ],
    };
  } finally {
    await served.server.stop();
  }
}

function tagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
}

/** Ten times the models. */
export async function measureScale(setting: Setting): Promise<Part> {
  const few = await measureFirstOutput(setting, 1000);
  const many = await measureFirstOutput(setting, 10_000);
  const rows = (what: string, state: keyof typeof few): Row[] => [
    { what: `1,000 models, ${what}`, run: few[state], ratio: 1, target: '' },
    {
      what: `10,000 models, ${what}`,
      run: many[state],
      ratio: many[state].ms / few[state].ms,
      target: '≤ 11 ×, < 400 MB',
    },
  ];
  return {
    title: 'First output from cache',
    ratioTo: '1,000 models',
    rows: [...rows('each printed for the first time', 'anew'), ...rows('printed before', 'known')],
  };
}

async function measureFirstOutput(setting: Setting, count: number): Promise<Record<'anew' | 'known', Run>> {
  const served = await serve(setting, count);
  try {
    await fillCache(setting, served);
    const out = join(setting.folder, `scale-${count}`);
    const program = generateProgram(setting, served, out, ['--offline']);
    const empty = (): Promise<void> => rm(out, { recursive: true, force: true });
    const forget = async (): Promise<void> => {
      await empty();
      await forgetPrints(served);
    };
    return await medianRuns(Math.min(setting.runs, 3), {
      anew: { program, before: forget },
      known: { program, before: empty },
    });
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
      run: withoutForeignPeak(one, compiler),
      ratio: 1,
      target: '',
    });
    rows.push({
      what: `TypeScript ${compiler}, one of 10,000`,
      run: withoutForeignPeak(ofMany, compiler),
      ratio: ofMany.ms / one.ms,
      target: '≤ 1.2 × time and memory',
    });
  }
  return { title: 'A consumer of one model', ratioTo: 'one of one', rows };
}

// The native compiler is another process than the one that reports its memory.
function withoutForeignPeak(run: Run, compiler: string): Run {
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
