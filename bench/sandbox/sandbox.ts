import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { startMock } from '../../contract-tests/src/index.ts';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import { multiply, readBenchDocuments, writeDocuments } from '../documents.ts';
import {
  type Answer,
  type Child,
  createHttpClient,
  installProduct,
  measureParts,
  median,
  startChild,
  withWorkingFolder,
} from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { ratio, type Table } from '../table.ts';

const headers = { 'x-api-key': sandboxCredentials.router.main };

/** Measures requests per second, latency and memory of the sandbox, which runs in a process of its own. */
export function measureSandbox(options: BenchOptions): Promise<Table[]> {
  return withWorkingFolder(options, async (folder) => {
    const setting = { product: await installProduct(join(folder, 'product')), folder, options };
    return measureParts(options, {
      throughput: () => measureThroughput(setting),
      catalog: () => measureCatalog(setting),
      queue: () => measureQueue(setting),
    });
  });
}

type Setting = { product: string; folder: string; options: BenchOptions };
type Sandbox = { url: string; readyMs: number; process: Child['process'] };

async function withSandbox<T>(
  { product }: Setting,
  { catalog = '', settings = {} }: { catalog?: string; settings?: object },
  use: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const child = await startChild('sandbox/serve-sandbox.mjs', [product, catalog, JSON.stringify(settings)]);
  try {
    return await use({ url: child.message, readyMs: performance.now() - start, process: child.process });
  } finally {
    await child.stop();
  }
}

/** Compares requests per second of the sandbox, which keeps state, and of Prism, which sends fixed examples. */
function measureThroughput(setting: Setting): Promise<Table> {
  return withSandbox(setting, { settings: { timings: { waitingMs: 3_600_000 } } }, async ({ url }) => {
    const mock = await startMock(await buildEffectiveSpecs(defaultSpecSettings));
    const client = createHttpClient(headers, 1);
    try {
      const submitted = await client.ask('POST', `${url}/v2/models/sandbox/outcomes/requests`, {});
      const status = new URL(JSON.parse(submitted.body).status_url).pathname;
      const rows: string[][] = [];
      for (const [what, path] of [
        ['list of models', '/v2/models'],
        ['status of a request', status],
      ] as const) {
        const [own, peer]: [number[], number[]] = [[], []];
        for (let round = 0; round < setting.options.runs; round++) {
          own.push(await countPerSecond(url + path));
          peer.push(await countPerSecond(mock.routerUrl + path));
        }
        const [ours, theirs] = [median(own), median(peer)];
        rows.push([what, ours.toFixed(0), theirs.toFixed(0), ratio(ours, theirs)]);
      }
      return { title: 'Requests per second, 16 connections', head: ['', 'sandbox', 'Prism, static', 'ratio'], rows };
    } finally {
      client.close();
      await mock.close();
    }
  });
}

async function countPerSecond(url: string): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({ url, headers, connections: 16, duration: 2 });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers that are not 2xx, ${errors} errors`);
  return requests.average;
}

const models = 10_000;

async function measureCatalog(setting: Setting): Promise<Table> {
  const catalog = join(setting.folder, 'catalog');
  await writeDocuments(multiply(readBenchDocuments(setting.options), models), catalog);
  const rounds: number[][] = [];
  for (let round = 0; round < setting.options.runs; round++)
    rounds.push(
      await withSandbox(setting, { catalog }, async (sandbox) => {
        const resident = await readMemory(sandbox);
        await walkCatalog(sandbox.url);
        return [sandbox.readyMs, resident, await readMemory(sandbox)];
      }),
    );
  const middle = (column: number): string => median(rounds.map((round) => round[column] ?? 0)).toFixed(0);
  return {
    title: 'Sandbox with a catalog of 10,000 models',
    head: ['', ''],
    rows: [
      ['start until ready, ms', middle(0)],
      ['memory when ready, MB', middle(1)],
      ['memory after listing all models and reading 100 documents, MB', middle(2)],
    ],
  };
}

async function readMemory({ process }: Sandbox): Promise<number> {
  process.send('memory');
  return Number((await once(process, 'message'))[0]);
}

async function walkCatalog(url: string): Promise<void> {
  const client = createHttpClient(headers, 4);
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { body } = await client.ask('GET', `${url}/v2/models?limit=100${cursor}`);
    const page: { data: { id: string }[]; next_cursor?: string } = JSON.parse(body);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor === undefined ? undefined : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  if (ids.length !== models) throw new Error(`the catalog lists ${ids.length} models`);
  for (const id of ids.filter((_, index) => index % 100 === 0)) {
    const { status } = await client.ask('GET', `${url}/v2/models/${id}/openapi.json`);
    if (status !== 200) throw new Error(`GET of the document of ${id} returned ${status}`);
  }
  client.close();
}

const requests = 1000;
const callers = 50;

/** Measures parallel callers that submit requests, poll them and read the results. Each round uses a new sandbox. */
async function measureQueue(setting: Setting): Promise<Table> {
  const rounds: number[][] = [];
  const errors: string[] = [];
  for (let round = 0; round < setting.options.runs; round++)
    rounds.push(await withSandbox(setting, {}, ({ url }) => callQueue(url, errors)));
  const at = (share: number): string =>
    median(rounds.map((times) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)).toFixed(1);
  return {
    title: `${requests} queued requests, ${callers} callers that poll`,
    head: ['', ''],
    rows: [
      ['wrong answers', `${errors.length} ${errors[0] ?? ''}`],
      ['half of all calls within, ms', at(0.5)],
      ['99 % within, ms', at(0.99)],
    ],
  };
}

/** Returns the times of all calls in ms, sorted. Adds unexpected responses to `errors`. */
async function callQueue(url: string, errors: string[]): Promise<number[]> {
  const client = createHttpClient(headers, callers);
  const times: number[] = [];
  const ask = async (status: number, method: string, target: string, body?: object): Promise<Answer> => {
    const answer = await client.ask(method, target, body);
    times.push(answer.ms);
    if (answer.status !== status) errors.push(`${method} ${target} returned ${answer.status}: ${answer.body}`);
    return answer;
  };
  let submitted = 0;
  const call = async (): Promise<void> => {
    const handles: { status_url: string; response_url: string }[] = [];
    while (submitted < requests) {
      const prompt = `picture ${submitted++}`;
      const input = { outcome: 'echo', prompt };
      handles.push(JSON.parse((await ask(201, 'POST', `${url}/v2/models/sandbox/outcomes/requests`, input)).body));
    }
    for (const { status_url, response_url } of handles) {
      while (JSON.parse((await ask(200, 'GET', status_url)).body).status !== 'COMPLETED') await sleep(100);
      await ask(200, 'GET', response_url);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  client.close();
  return times.sort((left, right) => left - right);
}
