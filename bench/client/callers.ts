import { createFalClient } from '@fal-ai/client';
import { OpenAI } from 'openai';
import Replicate from 'replicate';
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

/** The product's client first. */
export function callersAt(url: string): Caller[] {
  const router = createModelRouter({ baseUrl: url, apiKey: 'key' });
  const fal = createFalClient({
    credentials: 'key',
    requestMiddleware: async (request) => ({ ...request, url: moved(request.url, url) }),
  });
  const replicate = new Replicate({ auth: 'key', baseUrl: url });
  const openai = new OpenAI({ apiKey: 'key', baseURL: url });
  return [
    { name: 'createModelRouter', call: async () => (await router.run(model, { prompt })).data.seed },
    { name: '@fal-ai/client', call: async () => (await fal.run('image-provider/still', { input: { prompt } })).data },
    { name: 'replicate', call: () => replicate.run('image-provider/still', { input: { prompt } }) },
    { name: 'openai', call: async () => (await openai.images.generate({ model: 'still', prompt })).created },
  ];
}

function moved(address: string, url: string): string {
  const { pathname, search } = new URL(address);
  return `${url}${pathname}${search}`;
}
