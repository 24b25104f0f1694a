import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { readDocuments, readOwnDocuments } from '../documents/document.ts';
import { multiply, writeDocuments } from '../documents/multiply.ts';
import { createClient } from '../measure/client.ts';
import { runNode } from '../measure/process.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { type Cell, formatTable } from '../report/table.ts';

const key = sandboxCredentials.router.main;
const command = join(packageRoot(), 'scripts', 'switchyard.ts');
const rules = ['model.listed.*', 'passive.*', 'trace.*'];
const shards = 8;

type Served = { readonly url: string; stop(): Promise<void> };
type Figure = { what: string; value: string; beside: string; target: string };

/** The rules on single models over whole catalogs, beside reading each document once. */
export async function run(options: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'));
  const figures: Figure[] = [];
  const documents = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
  try {
    for (const [name, models, measure] of [
      ['thousand', 1_000, measureOne],
      ['shards', 10_000, measureShards],
    ] as const) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      progress(name);
      const catalog = join(folder, name);
      await writeDocuments(multiply(documents, models), catalog);
      const served = await serve(catalog);
      figures.push(...(await measure(served.url, join(folder, 'out'), models)));
      await served.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const rows = figures.map(({ what, value, beside, target }): Cell[] => [what, value, beside, target]);
  publish(options, { bench: 'scale', text: formatTable(['', 'value', 'beside', 'target'], rows), figures });
}

async function serve(catalog: string): Promise<Served> {
  const child = spawn(process.execPath, [command, 'sandbox', '--catalog', catalog, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((found, fail) => {
    child.once('exit', (code) => fail(new Error(`the sandbox ended with ${code}`)));
    child.stdout.on('data', (part: Buffer) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(part.toString()) ?? [];
      if (address !== undefined) found(address);
    });
  });
  return {
    url,
    stop: () =>
      new Promise((stopped) => {
        child.removeAllListeners('exit').once('exit', () => stopped());
        child.kill();
      }),
  };
}

/** Each document once, one after another over one connection. */
async function readAll(url: string): Promise<number> {
  const client = createClient({ 'x-api-key': key }, 1);
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page: { data: { id: string }[]; has_more: boolean; next_cursor?: string } = JSON.parse(
      (await client.ask('GET', `${url}/v2/models?limit=100${cursor}`)).body,
    );
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor ?? '')}`;
  }
  const start = performance.now();
  for (const id of ids) await client.ask('GET', `${url}/v2/models/${id}/openapi.json`);
  client.close();
  return performance.now() - start;
}

function conform(url: string, out: string, more: readonly string[] = []) {
  const args = [command, 'conform', '--router-url', url, '--models', 'all', '--out', out, '--rule', ...rules, ...more];
  return runNode({ args, env: { SWITCHYARD_API_KEY: key } });
}

async function measureOne(url: string, out: string, models: number): Promise<Figure[]> {
  await readAll(url); // it warms the sandbox up
  const before = await readAll(url);
  const { ms, peakMb = 0 } = await conform(url, out);
  const read = (before + (await readAll(url))) / 2;
  return [
    {
      what: `${models} models: the whole process, s`,
      value: (ms / 1000).toFixed(1),
      beside: `each document once: ${(read / 1000).toFixed(1)} (${(ms / read).toFixed(1)} ×)`,
      target: '≤ 5 ×',
    },
    {
      what: `${models} models: memory of the supervising process, MB`,
      value: peakMb.toFixed(0),
      beside: '',
      target: '< 500',
    },
  ];
}

async function measureShards(url: string, out: string, models: number): Promise<Figure[]> {
  const folders: string[] = [];
  const peaks: number[] = [];
  const start = performance.now();
  for (let index = 1; index <= shards; index += 1) {
    progress(`shard ${index}/${shards}`);
    const folder = `${out}-${index}`;
    peaks.push((await conform(url, folder, ['--shard', `${index}/${shards}`])).peakMb ?? 0);
    folders.push(folder);
  }
  await runNode({ args: [command, 'conform', 'merge', ...folders, '--out', out] });
  return [
    {
      what: `${models} models over ${shards} shards in turn, s`,
      value: ((performance.now() - start) / 1000).toFixed(1),
      beside: `at most ${Math.max(...peaks).toFixed(0)} MB in a process`,
      target: 'conforms, merged',
    },
  ];
}
