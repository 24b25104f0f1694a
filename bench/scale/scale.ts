import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { type BenchDocument, readDocuments, readOwnDocuments } from '../documents/document.ts';
import { multiply, writeDocuments } from '../documents/multiply.ts';
import { createClient } from '../measure/client.ts';
import { measureParts, type Parts } from '../measure/parts.ts';
import { median } from '../measure/process.ts';
import { installProduct, locateEntry } from '../measure/product.ts';
import { withWorkingFolder } from '../measure/working-folder.ts';
import type { BenchOptions } from '../options.ts';
import { type Figure, renderFigures } from '../report/figures.ts';
import { progress, publish } from '../report/output.ts';
import { startSandbox } from '../sandbox/sandbox-child.ts';

const key = sandboxCredentials.router.main;
const everyModel = ['--models', 'all'];
const rules = ['model.listed.*', 'passive.*', 'trace.*'];

type Setting = { documents: readonly BenchDocument[]; folder: string; product: string; runs: number };
/** A catalog of so many models at `url`. */
type Served = { entry: string; url: string; out: string; models: number; runs: number };

const parts: Parts<Setting, Figure[]> = new Map([['thousand', (setting) => withCatalog(setting, 1_000, measureOne)]]);

/** The rules on single models over whole catalogs, beside reading each document once. */
export function run(options: BenchOptions): Promise<void> {
  return withWorkingFolder(options, async (folder) => {
    const documents = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
    progress('building the product');
    const product = await installProduct(join(folder, 'product'));
    const figures = (await measureParts(parts, { documents, folder, product, runs: options.runs }, options)).flat();
    publish(options, { bench: 'scale', text: renderFigures(figures), figures });
  });
}

async function withCatalog(
  { documents, folder, product, runs }: Setting,
  models: number,
  measure: (served: Served) => Promise<Figure[]>,
): Promise<Figure[]> {
  const catalog = join(folder, `catalog-${models}`);
  await writeDocuments(multiply(documents, models), catalog);
  const sandbox = await startSandbox({ product, catalog });
  try {
    return await measure({ entry: locateEntry(product), url: sandbox.url, out: join(folder, 'out'), models, runs });
  } finally {
    await sandbox.stop();
  }
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

type Conformed = { ms: number /** Of the larger process. */; peakMb: number };

async function conform({ entry, url }: Served, out: string, more: readonly string[] = []): Promise<Conformed> {
  const args = [entry, 'conform', '--router-url', url, '--out', out, '--rule', ...rules, ...more];
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, SWITCHYARD_API_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]) => ({ code, ms: performance.now() - start }));
  let peakMb = 0;
  let result: Awaited<typeof ended> | undefined;
  while (result === undefined) {
    peakMb = Math.max(peakMb, await readPeak(child.pid));
    result = await Promise.race([ended, sleep(pollMs, undefined)]);
  }
  if (result.code !== 0) throw new Error(`conform ended with ${result.code}`);
  return { ms: result.ms, peakMb };
}

const pollMs = 100;

/** The most memory that a process or one of its children has taken so far; 0 where the system does not say. */
async function readPeak(pid: number | undefined): Promise<number> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const own = Number(/^VmHWM:\s+(\d+) kB$/m.exec(await read('status'))?.[1] ?? 0) / 1024;
  const children = (await read(`task/${pid}/children`)).split(' ').filter(Boolean);
  return Math.max(own, ...(await Promise.all(children.map((one) => readPeak(Number(one))))));
}

/** Reads and runs take turns, so that a slow moment meets both. */
async function measureOne(setting: Served): Promise<Figure[]> {
  const { url, out, models, runs } = setting;
  const taken: { ms: number; peakMb: number; readMs: number; addedMs: number }[] = [];
  let before = await readAll(url).then(() => readAll(url)); // the first one warms the sandbox up
  for (let round = 0; round < Math.max(1, runs); round += 1) {
    const sample = await conform(setting, out);
    const conformed = await conform(setting, out, everyModel);
    const after = await readAll(url);
    taken.push({ ...conformed, readMs: (before + after) / 2, addedMs: conformed.ms - sample.ms });
    before = after;
  }
  const middle = (of: (one: (typeof taken)[number]) => number): number => median(taken.map(of));
  return [
    {
      what: `${models} models: what they add to a sample, s`,
      value: (middle(({ addedMs }) => addedMs) / 1000).toFixed(1),
      beside: `each document once: ${(middle(({ readMs }) => readMs) / 1000).toFixed(2)} (${middle(({ addedMs, readMs }) => addedMs / readMs).toFixed(1)} ×)`,
      target: '≤ 5 ×',
    },
    {
      what: `${models} models: the whole command, s`,
      value: (middle(({ ms }) => ms) / 1000).toFixed(1),
      beside: `each document once: ${(middle(({ readMs }) => readMs) / 1000).toFixed(2)} (${middle(({ ms, readMs }) => ms / readMs).toFixed(1)} ×)`,
      target: '',
    },
    {
      what: `${models} models: memory of the larger process, MB`,
      value: Math.max(...taken.map(({ peakMb }) => peakMb)).toFixed(0),
      beside: '',
      target: '< 500',
    },
  ];
}
