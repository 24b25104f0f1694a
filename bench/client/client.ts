import { globSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import {
  type Reply,
  routerError,
  type ScriptedServer,
  startScriptedServer,
} from '../../runtime/tests/scripted-server.ts';
import { measureParts, median, startChild } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { ratio, type Table } from '../table.ts';
import { type Caller, createCallers, success } from './callers.ts';

const generated = join(import.meta.dirname, '../../generated');

/** Compares the client of the generated packages with `fetch` and with clients of other services. */
export async function measureClient(options: BenchOptions): Promise<Table[]> {
  const server = await startChild('client/serve-success.ts', []);
  try {
    return await measureParts(options, {
      size: measureSize,
      overhead: () => measureOverhead(server.message, options.runs),
      parallel: () => measureParallel(server.message, options.runs),
      failures: compareFailures,
    });
  } finally {
    await server.stop();
  }
}

/** Measures the code that a web page has to load for each client. */
async function measureSize(): Promise<Table> {
  const models = globSync('*/*.js', { cwd: join(generated, 'models') }).filter((file) => !file.startsWith('valid'));
  const sizes = models.map((file) => countBytes(`export { model } from '${generated}/models/${file}';`));
  const router = `export { createModelRouter } from '${generated}/model-router/index.js';`;
  return {
    title: 'Bytes of a bundle: esbuild, minified, gzip -9',
    head: ['', 'bytes'],
    rows: [
      ['createModelRouter', await countBytes(router)],
      ['@fal-ai/client', await countBytes("export { createFalClient } from '@fal-ai/client';")],
      ['openai', await countBytes("export { default } from 'openai';")],
      [`the largest of ${models.length} models, without its validator`, Math.max(...(await Promise.all(sizes)))],
    ],
  };
}

async function countBytes(contents: string): Promise<number> {
  const stdin = { contents, resolveDir: import.meta.dirname };
  const target = { format: 'esm', platform: 'browser', target: 'es2022' } as const;
  const { outputFiles } = await build({
    stdin,
    ...target,
    external: ['node:*'],
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

const [warmUp, calls] = [300, 2000];

/**
 * Measures the median time of a call. The clients take turns, so that a busy moment of the machine affects all of them. The
 * order is random, because garbage collection after one call may slow down the next one.
 */
async function measureOverhead(url: string, runs: number): Promise<Table> {
  const callers = createCallers(url);
  const medians = new Map<string, number[]>(callers.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run++) {
    const times = new Map<string, number[]>(callers.map(({ name }) => [name, []]));
    for (let call = 0; call < warmUp + calls; call++) {
      for (const { name, call: send } of callers.toSorted(() => Math.random() - 0.5)) {
        const started = performance.now();
        await send();
        if (call >= warmUp) times.get(name)?.push(performance.now() - started);
      }
    }
    for (const [name, all] of times) medians.get(name)?.push(median(all));
  }
  const timeOf = (name: string): number => median(medians.get(name) ?? []);
  const overhead = (name: string): number => timeOf(name) - timeOf('fetch');
  return {
    title: `Time of a call, median of ${calls} in each of ${runs} runs`,
    head: ['', 'ms', 'more than fetch, ms', "of openai's overhead"],
    rows: callers.map(({ name }) =>
      name === 'fetch'
        ? [name, timeOf(name).toFixed(3), '', '']
        : [name, timeOf(name).toFixed(3), overhead(name).toFixed(3), ratio(overhead(name), overhead('openai'))],
    ),
  };
}

const parallel = 10_000;

/** Measures many parallel calls. Each client runs in a process of its own, and the processes take turns. */
async function measureParallel(url: string, runs: number): Promise<Table> {
  const names = createCallers(url).map(({ name }) => name);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const name of names) {
      const child = await startChild('client/parallel-runs.ts', [url, name, String(parallel)]);
      times.get(name)?.push(Number(child.message));
      await child.stop();
    }
  }
  const timeOf = (name: string): number => median(times.get(name) ?? []);
  return {
    title: `Processor time of ${parallel} parallel runs, median of ${runs}`,
    head: ['', 'ms', 'of openai'],
    rows: names.map((name) => [name, timeOf(name).toFixed(0), ratio(timeOf(name), timeOf('openai'))]),
  };
}

const failures: readonly (readonly [what: string, reply: Reply])[] = [
  ['503', routerError(503, 'service_unavailable')],
  ['429 with `Retry-After: 1`', routerError(429, 'rate_limited', { 'retry-after': '1' })],
  ['409, the key still runs', routerError(409, 'concurrency_limit_exceeded', { 'retry-after': '1' })],
  ['a reset after the request', 'reset'],
  ['a truncated 200', { body: success.slice(0, 20), truncate: true, headers: { 'content-type': 'application/json' } }],
];

/** Counts the runs that each client starts if the server fails the first request and answers later ones with a result. */
async function compareFailures(): Promise<Table> {
  const server = await startScriptedServer();
  const names = createCallers(server.url)
    .slice(1)
    .map(({ name }) => name);
  const rows: string[][] = [];
  for (const [what, reply] of failures) {
    const cells: string[] = [];
    // Create new clients for each failure, because a client may keep state from earlier failures.
    for (const caller of createCallers(server.url).slice(1)) cells.push(await callAfter(reply, caller, server));
    rows.push([what, ...cells]);
  }
  await server.close();
  return { title: 'What a caller gets, and how many runs the service starts and bills', head: ['', ...names], rows };
}

async function callAfter(reply: Reply, { call }: Caller, server: ScriptedServer): Promise<string> {
  server.script(reply, { body: JSON.parse(success) });
  const end = await call().then(
    (result) => (result === undefined || typeof result === 'string' ? 'no result' : 'result'),
    () => 'error',
  );
  // Requests with the same idempotency key start one run; each request without a key starts a new run.
  const keys = server.seen.map(({ headers }, index) => headers['idempotency-key'] ?? index);
  const runs = new Set(keys).size;
  return `${end}, ${runs} ${runs === 1 ? 'run' : 'runs'}`;
}
