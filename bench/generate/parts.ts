import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compilers } from '../fidelity/type-check.ts';
import { medianRun, type Program, type Run, runNode } from '../measure/process.ts';
import type { Part, Row } from './part.ts';
import { fillCache, generateProgram, type Served, type Setting, serve } from './setting.ts';

const here = import.meta.dirname;

/** From cache to files, against what must be done and against the usual tool. */
export async function measureTypes(setting: Setting): Promise<Part> {
  const served = await serve(setting, setting.documents.length);
  try {
    await fillCache(setting, served);
    const out = join(setting.folder, 'out');
    const fresh = (program: Program): Promise<Run> =>
      medianRun(setting.runs, program, () => rm(out, { recursive: true, force: true }));
    const script = (name: string): Program => ({ args: [join(here, name), served.folder, out] });
    const floor = await fresh(script('floor.mjs'));
    const peer = await fresh(script('openapi-typescript-all.mjs'));
    const offline = setting.flags.has('--offline');
    const everything = offline ? await fresh(generateProgram(setting, served, out, ['--offline'])) : undefined;
    const validators = everything !== undefined && (await holdsValidators(out));
    const types = setting.flags.has('--types-only')
      ? await fresh(generateProgram(setting, served, out, ['--offline', '--types-only']))
      : undefined;
    const row = (what: string, run: Run | undefined, target: string): Row => ({
      what,
      run,
      ratio: run && run.ms / floor.ms,
      target,
    });
    const bySpeed = (run: Run | undefined): string =>
      run === undefined ? '' : `; openapi-typescript needs ${(peer.ms / run.ms).toFixed(1)} × as long`;
    return {
      title: `From cache, ${served.documents.length} documents, whole process`,
      ratioTo: 'floor',
      rows: [
        row('floor: parse, emit a string, write', floor, ''),
        row('openapi-typescript in one process', peer, ''),
        row('switchyard, types only', types, `≤ 2 × floor, openapi-typescript ≥ 10 ×${bySpeed(types)}`),
        row(
          `switchyard, all it makes${validators ? ', input validators too' : ' (no validators yet)'}`,
          everything,
          `≤ half of openapi-typescript${bySpeed(everything)}`,
        ),
        row(
          'switchyard, output validators too',
          setting.flags.has('--output-validators')
            ? await fresh(generateProgram(setting, served, out, ['--offline', '--output-validators']))
            : undefined,
          '≤ openapi-typescript',
        ),
      ],
    };
  } finally {
    await served.server.stop();
  }
}

async function holdsValidators(out: string): Promise<boolean> {
  const names = await readdir(join(out, 'models'), { recursive: true });
  return names.some((name) => /validat/.test(name));
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
    const bare = await medianRun(setting.runs, { args: [join(here, 'conditional-client.mjs'), served.url, list] });
    const asking = await medianRun(setting.runs, generateProgram(setting, served, out));
    const offline = setting.flags.has('--offline')
      ? await medianRun(setting.runs, generateProgram(setting, served, out, ['--offline']))
      : undefined;
    const start = await medianRun(setting.runs, { args: ['-e', '0'] });
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
        { what: 'switchyard --offline', run: offline, ratio: offline && offline.ms / bare.ms, target: '≤ 100 ms' },
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
  const runs: Run[] = [];
  for (const count of [1000, 10_000]) {
    const served = await serve(setting, count);
    try {
      const out = join(setting.folder, `scale-${count}`);
      if (setting.flags.has('--offline')) await fillCache(setting, served);
      const extra = setting.flags.has('--offline') ? ['--offline'] : [];
      runs.push(
        await medianRun(Math.min(setting.runs, 3), generateProgram(setting, served, out, extra), () =>
          rm(out, { recursive: true, force: true }),
        ),
      );
    } finally {
      await served.server.stop();
    }
  }
  const [thousand, tenThousand] = runs;
  const how = setting.flags.has('--offline') ? 'from cache' : 'from the network (no --offline yet)';
  return {
    title: `First output ${how}`,
    ratioTo: '1,000 models',
    rows: [
      { what: '1,000 models', run: thousand, ratio: 1, target: '' },
      {
        what: '10,000 models',
        run: tenThousand,
        ratio: thousand && tenThousand && tenThousand.ms / thousand.ms,
        target: '≤ 11 ×, < 400 MB',
      },
    ],
  };
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
