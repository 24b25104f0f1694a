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
  readonly call: () => Promise<unknown>;
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

/** The product's client first. The limit is that of one attempt. */
export function callersAt(url: string, timeoutMs?: number): Caller[] {
  const { hostname, port, pathname } = new URL(url);
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const router = createModelRouter({ baseUrl: url, apiKey: 'key', runTimeoutMs: timeoutMs });
  const fal = createFalClient({
    credentials: 'key',
    requestMiddleware: async (request) => ({ ...request, url: moved(request.url, url) }),
  });
  const replicate = new Replicate({ auth: 'key', baseUrl: url });
  const openai = new OpenAI({ apiKey: 'key', baseURL: url, ...limit });
  const stripe = new Stripe('key', { host: hostname, port, protocol: 'http', ...limit });
  const aws = new LambdaClient({
    endpoint: url,
    region: 'local',
    credentials: { accessKeyId: 'key', secretAccessKey: 'key' },
    ...(timeoutMs === undefined ? {} : { requestHandler: { requestTimeout: timeoutMs, throwOnRequestTimeout: true } }),
  });
  return [
    { name: 'createModelRouter', call: async () => (await router.run(model, { prompt })).data.seed },
    { name: '@fal-ai/client', call: async () => (await fal.run('image-provider/still', { input: { prompt } })).data },
    { name: 'replicate', call: () => replicate.run('image-provider/still', { input: { prompt } }) },
    { name: 'openai', call: async () => (await openai.images.generate({ model: 'still', prompt })).created },
    {
      name: 'stripe',
      call: async () => (await stripe.rawRequest('POST', `${pathname}/v1/payment_intents`, { amount: 1 })).id,
    },
    {
      name: 'ky',
      call: async () => (await ky.post(`${url}/runs`, { json: { prompt }, ...limit }).json<{ id: string }>()).id,
    },
    {
      name: 'AWS SDK',
      call: async () => (await aws.send(new InvokeCommand({ FunctionName: 'still', Payload: prompt }))).Payload,
    },
  ];
}

function moved(address: string, url: string): string {
  const { pathname, search } = new URL(address);
  return `${url}${pathname}${search}`;
}
