import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { createFalClient } from '@fal-ai/client';
import ky from 'ky';
import { OpenAI } from 'openai';
import Replicate from 'replicate';
import { Stripe } from 'stripe';
import { createModelRouter } from '../../generated/model-router/index.js';
import { model } from '../../generated/models/image-provider/still-2.1.js';

/** A client, set up as its documentation says and with nothing changed but the address. */
export type Caller = {
  readonly name: string;
  /** Runs a model once and resolves to a part of its output. */
  readonly call: (signal?: AbortSignal) => Promise<unknown>;
};
export type CallerOptions = {
  /** Of one attempt. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof fetch;
  readonly key?: string;
  /** Beside the prompt. */
  readonly input?: object;
};

const prompt = 'a harbour';

export function bareFetch(url: string): Caller {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'key' };
  return {
    name: 'fetch',
    async call() {
      const init = { method: 'POST', headers, body: JSON.stringify({ prompt }) };
      const response = await fetch(`${url}/v2/models/${model.id}`, init);
      return ((await response.json()) as { seed: number }).seed; // as the server writes it
    },
  };
}

/** The product's client first. */
export function callersAt(url: string, { timeoutMs, fetch, key = 'key', input }: CallerOptions = {}): Caller[] {
  const { hostname, port, pathname, protocol } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const by = fetch === undefined ? {} : { fetch };
  const sent = { prompt, ...input };
  const router = createModelRouter({ baseUrl: url, apiKey: key, runTimeoutMs: timeoutMs, ...by });
  const fal = createFalClient({
    credentials: key,
    requestMiddleware: async (request) => ({ ...request, url: moved(request.url, url) }),
    ...by,
  });
  const replicate = new Replicate({ auth: key, baseUrl: url, ...by });
  const openai = new OpenAI({ apiKey: key, baseURL: url, ...limit, ...by });
  const httpClient = fetch === undefined ? {} : { httpClient: Stripe.createFetchHttpClient(fetch) };
  const stripe = new Stripe(key, { host: hostname, port, protocol: protocol.slice(0, -1), ...limit, ...httpClient });
  const aws = new LambdaClient({
    endpoint: url,
    region: 'local',
    credentials: { accessKeyId: key, secretAccessKey: key },
    ...(timeoutMs === undefined ? {} : { requestHandler: { requestTimeout: timeoutMs, throwOnRequestTimeout: true } }),
  });
  const headers = { authorization: `Bearer ${key}` };
  return [
    // The router's types want an input of the model; some trials give another one on purpose.
    {
      name: 'createModelRouter',
      call: async (signal) => readSeed(await router.run({ id: model.id }, sent, { signal })),
    },
    {
      name: '@fal-ai/client',
      call: async (signal) => (await fal.run('image-provider/still', { input: sent, abortSignal: signal })).data,
    },
    {
      name: 'replicate',
      call: (signal) => replicate.run('image-provider/still', { input: sent, ...(signal && { signal }) }),
    },
    {
      name: 'openai',
      call: async (signal) => (await openai.images.generate({ model: 'still', ...sent }, { signal })).created,
    },
    {
      name: 'stripe',
      call: async () => (await stripe.rawRequest('POST', `${base}/v1/payment_intents`, { amount: 1, ...input })).id,
    },
    {
      name: 'ky',
      call: async (signal) =>
        (await ky.post(`${url}/runs`, { json: sent, headers, signal, ...limit, ...by }).json<{ id: string }>()).id,
    },
    {
      name: 'AWS SDK',
      call: async (signal) => {
        const command = new InvokeCommand({ FunctionName: 'still', Payload: JSON.stringify(sent) });
        return (await aws.send(command, { abortSignal: signal })).Payload;
      },
    },
  ];
}

const readSeed = ({ data }: { data: unknown }): unknown => (data as { seed: number }).seed; // as the server writes it

function moved(address: string, url: string): string {
  const { pathname, search } = new URL(address);
  return `${url}${pathname}${search}`;
}
