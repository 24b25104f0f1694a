import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFalClient } from '@fal-ai/client';
import { createModelRouter } from '../../generated/model-router/index.js';
import { createFileKeyStore } from '../../generated/model-router/runtime/node/index.js';
import { model } from '../../generated/models/image-provider/still-2.1.js';
import { success } from './success.ts';
import { type Handler, json, type Score, serve, type Trial } from './trial-server.ts';

type QueueClient = {
  readonly subscribe: () => Promise<unknown>;
  /** Submits, and collects by the request id alone. */
  readonly submitAndCollect: () => Promise<unknown>;
};

/** Only two of the clients have a queue. */
function openQueue(client: string, url: string): QueueClient | undefined {
  const input = { prompt: 'a harbour' };
  if (client === 'createModelRouter') {
    const router = createModelRouter({ baseUrl: url, apiKey: 'key' });
    return {
      subscribe: () => router.subscribe(model, input, { pollEveryMs: 50, deadlineMs: 10_000 }),
      submitAndCollect: async () => router.queued(model, (await router.submit(model, input)).requestId).result(),
    };
  }
  if (client !== '@fal-ai/client') return undefined;
  const move = (address: string): string => `${url}${new URL(address).pathname}`;
  const fal = createFalClient({
    credentials: 'key',
    requestMiddleware: async (request) => ({ ...request, url: move(request.url) }),
  });
  return {
    subscribe: () => fal.subscribe('image-provider/still', { input, pollInterval: 50 }),
    async submitAndCollect() {
      const { request_id: requestId } = await fal.queue.submit('image-provider/still', { input });
      return fal.queue.result('image-provider/still', { requestId });
    },
  };
}

/** A queue whose requests are done at once. `status` may answer the first question about one in another way. */
function serveQueue(
  options: { status?: (body: object, send: (type: string, text: string) => void) => void; failed?: object } = {},
) {
  const asked = new Set<string>();
  let count = 0;
  const handle: Handler = ({ url, method, headers }, response) => {
    const send = (type: string, text: string): void => void response.writeHead(200, { 'content-type': type }).end(text);
    const [, id = `request-${count++}`, rest] = /\/requests\/([^/?]+)(\/status)?/.exec(url) ?? [];
    const base = `http://${headers.host}/v2/models/${model.id}/requests/${id}`;
    const addresses = { status_url: `${base}/status`, response_url: base, cancel_url: `${base}/cancel` };
    const state = (status: string): object => ({ request_id: id, status, ...addresses });
    if (method === 'POST') return send('application/json', JSON.stringify(state('IN_QUEUE')));
    if (rest === undefined && options.failed === undefined) return send('application/json', success);
    if (rest === undefined) return void response.writeHead(422, json).end(JSON.stringify(options.failed));
    const ended = options.failed === undefined ? {} : { error: 'no', error_type: 'invalid_input' };
    if (options.status !== undefined && !asked.has(id)) options.status(state('COMPLETED'), send);
    else send('application/json', JSON.stringify({ ...state('COMPLETED'), ...ended }));
    asked.add(id);
  };
  return serve(handle);
}

async function subscribe(client: string, options: Parameters<typeof serveQueue>[0], says?: RegExp): Promise<Score> {
  const { url, close } = await serveQueue(options);
  try {
    const patience = new Promise((later) => setTimeout(later, 12_000, new Error('waits')).unref());
    const end = await Promise.race([openQueue(client, url)?.subscribe(), patience]).catch((error: unknown) => error);
    if (end === undefined) return undefined;
    const text = end instanceof Error ? `${end.message} ${JSON.stringify(end)}` : 'result';
    const isWanted = says === undefined ? text === 'result' : says.test(text);
    return {
      cost: isWanted ? 0 : 1,
      what: end instanceof Error ? `error${isWanted ? ' with both fields' : ''}` : 'result',
    };
  } finally {
    close();
  }
}

async function growBySubmissions(client: string): Promise<Score> {
  const { url, close } = await serveQueue();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const measure = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  try {
    const queue = openQueue(client, url);
    if (queue === undefined) return undefined;
    for (let count = 0; count < 200; count += 1) await queue.submitAndCollect();
    const before = measure();
    for (let count = 0; count < 5000; count += 1) await queue.submitAndCollect();
    const grown = Math.max(0, measure() - before);
    return { cost: grown, what: `${grown.toFixed(1)} MB` };
  } finally {
    close();
  }
}

/** No other client has such a store, so it is compared with an empty one: more than 20 ms beside it are too many. */
async function runBesideLeftCalls(client: string): Promise<Score> {
  if (client !== 'createModelRouter') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'left-calls-'));
  const { url, close } = await serve((_, response) => response.writeHead(200, json).end(success));
  try {
    const [empty, full] = [createFileKeyStore(join(folder, 'empty')), createFileKeyStore(join(folder, 'full'))];
    for (let count = 0; count < 1000; count += 1) {
      const call = {
        operation: 'run',
        model: model.id,
        url,
        body: `${count}`,
        owner: '',
        firstSentAt: Date.now(),
        isExplicit: false,
      } as const;
      await full.begin({ ...call, idempotencyKey: `left-${count}` });
      await full.release(`left-${count}`);
    }
    // In turn, since a disk has slow moments.
    const stores = [empty, full].map((keyStore) => ({
      router: createModelRouter({ baseUrl: url, apiKey: 'key', keyStore }),
      times: [] as number[],
    }));
    for (let count = 0; count < 50; count += 1)
      for (const { router, times } of stores) {
        const startedAt = performance.now();
        await router.run(model, { prompt: `${count}` });
        times.push(performance.now() - startedAt);
      }
    const [without = 0, beside = 0] = stores.map(({ times }) => times.sort((one, other) => one - other)[25] ?? 0);
    const cost = beside - without < 20 ? 0 : Number.POSITIVE_INFINITY;
    return { cost, what: `${beside.toFixed(1)} ms a run, ${without.toFixed(1)} with none left` };
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
}

const two = [['prompt'], ['size']].map((loc) => ({ loc: ['body', ...loc], msg: 'is wrong', type: 'wrong' }));

export const queueTrials: readonly Trial[] = [
  {
    name: 'a status that is HTML once',
    slack: 0,
    run: (client) => subscribe(client, { status: (_, send) => send('text/html', '<html>') }),
  },
  {
    name: 'a status without cancel_url',
    slack: 0,
    run: (client) =>
      subscribe(client, {
        status: (body, send) => send('application/json', JSON.stringify({ ...body, cancel_url: undefined })),
      }),
  },
  {
    name: 'a queued request that ends with a refused input',
    slack: 0,
    run: (client) => subscribe(client, { failed: { detail: two, error_type: 'invalid_input' } }, /prompt.*size/s),
  },
  { name: 'memory after 5,000 submissions, collected by id', slack: 5, run: growBySubmissions },
  { name: 'a file store with 1,000 calls left', slack: 0, run: runBesideLeftCalls },
];
