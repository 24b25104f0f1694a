import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import ky from 'ky';
import { OpenAI } from 'openai';
import { fetch as undiciFetch } from 'undici';
import { createModelRouter } from '../../generated/model-router/index.js';
import { model } from '../../generated/models/image-provider/still-2.1.js';
import type { Table } from '../report/table.ts';
import { type CallerOptions, callersAt } from './callers.ts';
import { recognise } from './package-copies.ts';
import { queueTrials } from './queue-trials.ts';
import { success } from './success.ts';
import { type Handler, json, type Score, serve, type Trial, type TrialServer } from './trial-server.ts';

const worst = 1000;
const answer: Handler = (_, response) => response.writeHead(200, json).end(success);
const refuse = (response: Parameters<Handler>[1], status: number, category: string, more: object = {}): void => {
  const known = { ...json, 'x-service-error-type': category, ...more };
  response
    .writeHead(status, known)
    .end(JSON.stringify({ detail: 'no', error_type: category, error: { message: 'no' } }));
};
const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));

async function at<Result>(
  server: Promise<TrialServer>,
  use: (server: TrialServer) => Promise<Result>,
): Promise<Result> {
  const open = await server;
  return use(open).finally(open.close);
}

/** The call of one client, set up anew. */
function callOf(client: string, url: string, options?: CallerOptions): (signal?: AbortSignal) => Promise<unknown> {
  const caller = callersAt(url, options).find(({ name }) => name === client);
  if (caller === undefined) throw new Error(`no client is called ${client}`);
  return caller.call;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The body of a success as it comes in, for the clients that give it. */
async function openStream(client: string, url: string, signal?: AbortSignal): Promise<ReadableStream | undefined> {
  const prompt = 'a harbour';
  if (client === 'createModelRouter') {
    const router = createModelRouter({ baseUrl: url, apiKey: 'key', runTimeoutMs: 500, idleTimeoutMs: 500 });
    return (await router.run(model, { prompt }, { as: 'stream', signal })).data;
  }
  if (client === 'openai') {
    const openai = new OpenAI({ apiKey: 'key', baseURL: url, timeout: 500 });
    return (await openai.images.generate({ model: 'still', prompt }, { signal }).asResponse()).body ?? undefined;
  }
  if (client !== 'ky') return undefined;
  return (await ky.post(url, { json: { prompt }, headers: {}, timeout: 500, signal })).body ?? undefined;
}

async function readAll(stream: ReadableStream): Promise<void> {
  for await (const _ of stream);
}

const trials: readonly Trial[] = [
  {
    name: 'self-signed TLS: connections until an error names it',
    slack: 0,
    run: (client) =>
      at(serve(answer, true), async ({ url, connections }) => {
        const error = await failureOf(callOf(client, url)());
        const isNamed = /DEPTH_ZERO|self.signed/i.test(`${inspect(error)}`);
        return { cost: isNamed ? connections() : worst, what: `${isNamed ? 'named' : 'unnamed'}, ${connections()}` };
      }),
  },
  {
    name: '300 calls on a dead server: requests of a client that repeats any',
    slack: 10,
    run: (client) =>
      at(
        serve((_, response) => refuse(response, 503, 'service_unavailable')),
        async ({ url, bodies }) => {
          const call = callOf(client, url);
          await Promise.all(Array.from({ length: 300 }, () => failureOf(call())));
          return { cost: bodies.length === 300 ? worst * 10 : bodies.length, what: `${bodies.length}` };
        },
      ),
  },
  {
    name: 'a long run, one 429 beside it: until four others are done',
    slack: 2,
    run: (client) => {
      const handle: Handler = (_, response, index) => {
        if (index === 1) return refuse(response, 429, 'concurrency_limit_exceeded', { 'retry-after': '1' });
        setTimeout(() => response.writeHead(200, json).end(success), index === 0 ? 8000 : 10);
      };
      return at(serve(handle), async ({ url }) => {
        const call = callOf(client, url);
        const long = failureOf(call());
        await pause(200);
        const startedAt = performance.now();
        const errors = await Promise.all(Array.from({ length: 4 }, () => failureOf(call())));
        const failed = errors.filter((error) => error !== undefined).length;
        const seconds = (performance.now() - startedAt) / 1000;
        await long;
        return { cost: seconds + failed * worst, what: `${seconds.toFixed(1)} s, ${failed} failed` };
      });
    },
  },
  {
    name: 'a signal shared by 500 streams: listeners left',
    slack: 0,
    run: (client) =>
      at(serve(answer), async ({ url }) => {
        const { signal } = new AbortController();
        for (let count = 0; count < 500; count += 1) {
          const stream = await openStream(client, url, signal);
          if (stream === undefined) return undefined;
          await readAll(stream);
        }
        const left = getEventListeners(signal, 'abort').length;
        return { cost: left, what: `${left}` };
      }),
  },
  {
    name: 'a stream that stalls, with limits of 500 ms: until its reader gets an error',
    slack: 1,
    run: (client) =>
      at(
        serve((_, response) => response.writeHead(200, json).write('{"seed":')),
        async ({ url }) => {
          const startedAt = performance.now();
          const stream = await openStream(client, url);
          if (stream === undefined) return undefined;
          const end = await Promise.race([failureOf(readAll(stream)), pause(5000).then(() => 'waits')]);
          const seconds = (performance.now() - startedAt) / 1000;
          return { cost: seconds, what: end === 'waits' ? 'waits' : `${seconds.toFixed(1)} s` };
        },
      ),
  },
  {
    name: 'the wall clock goes an hour ahead in a wait',
    slack: 0,
    run: (client) => {
      const handle: Handler = (request, response, index) =>
        index === 0 ? refuse(response, 503, 'service_unavailable') : answer(request, response, index);
      return at(serve(handle), async ({ url }) => {
        const { now } = Date;
        const work = failureOf(callOf(client, url, { timeoutMs: 60_000 })());
        setTimeout(() => (Date.now = () => now() + 3_600_000), 50);
        const error = await work.finally(() => (Date.now = now));
        return { cost: error === undefined ? 0 : 1, what: error === undefined ? 'result' : 'error' };
      });
    },
  },
  {
    name: 'a Blob and a typed array in an input',
    slack: 0,
    run: (client) => {
      const handle: Handler = ({ headers }, response) => {
        const url = `http://${headers.host}`;
        const uploaded = { upload_url: `${url}/put`, file_url: `${url}/file`, urls: { get: `${url}/file` } };
        response.writeHead(200, json).end(JSON.stringify({ ...JSON.parse(success), ...uploaded }));
      };
      const input = { bytes: new Uint8Array([1, 2, 3]), file: new Blob(['abc']) };
      return at(serve(handle), async ({ url, bodies }) => {
        const error = await failureOf(callOf(client, url, { input })());
        const isNamed = /bytes|Uint8Array|Blob/.test(String(error));
        if (error !== undefined) return { cost: isNamed ? 0 : 1, what: isNamed ? 'names what is wrong' : 'mute error' };
        const isSent = ['AQID', 'YWJj'].every((base64) => bodies.some((body) => body.includes(base64)));
        const isFile = bodies.some((body) => body.includes('/file'));
        const altered = isFile ? 'the array as something else' : 'both as something else';
        return { cost: isSent ? 0 : 2, what: isSent ? 'sent' : altered };
      });
    },
  },
  {
    name: 'an answer that repeats a short credential',
    slack: 0,
    run: (client) => {
      const handle: Handler = ({ headers }, response) => {
        const text = `not for ${headers['x-api-key'] ?? headers.authorization}`;
        response.writeHead(401, json).end(JSON.stringify({ detail: text, message: text, error: { message: text } }));
      };
      return at(serve(handle), async ({ url }) => {
        const error = await failureOf(callOf(client, url, { key: 'q7z' })());
        const isShown = inspect(error, { depth: 9 }).includes('q7z');
        return { cost: isShown ? 1 : 0, what: isShown ? 'shown' : 'not shown' };
      });
    },
  },
  {
    name: 'an error of a second copy of the package',
    slack: 0,
    run: (client) =>
      at(
        serve((_, response) => refuse(response, 400, 'invalid_input')),
        async ({ url }) => {
          const isKnown = await recognise(client, await failureOf(callOf(client, url)()));
          return isKnown === undefined ? undefined : { cost: isKnown ? 0 : 1, what: isKnown ? 'known' : 'unknown' };
        },
      ),
  },
  {
    name: 'fetch of the package undici',
    slack: 0,
    run: (client) =>
      at(serve(answer), async ({ url }) => {
        if (client === 'AWS SDK') return undefined; // it takes none
        const error = await failureOf(callOf(client, url, { fetch: undiciFetch })());
        return { cost: error === undefined ? 0 : 1, what: error === undefined ? 'result' : 'error' };
      }),
  },
  ...queueTrials,
];

/** What each client makes of trials that need a server of their own: one after the other, since some of them count or measure. */
export async function compareTrials(): Promise<Table> {
  const names = callersAt('http://127.0.0.1:1').map(({ name }) => name);
  const rows: string[][] = [];
  for (const { name, slack, run } of trials) {
    const scores: Score[] = [];
    for (const client of names) scores.push(await run(client));
    const [ours, ...others] = scores;
    const better = names
      .slice(1)
      .filter((_, index) => (others[index]?.cost ?? worst * 100) + slack < (ours?.cost ?? 0));
    const verdict = better.length === 0 ? 'best or equal' : `worse than ${better.join(', ')}`;
    rows.push([name, ...scores.map((score) => score?.what ?? '–'), verdict]);
  }
  const worse = rows.filter((row) => row.at(-1)?.startsWith('worse') === true).length;
  return {
    title: `${rows.length} trials; createModelRouter is best or equal in ${rows.length - worse}`,
    head: ['', ...names, ''],
    rows,
  };
}
