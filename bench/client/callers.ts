import { createFalClient } from '@fal-ai/client';
import { OpenAI } from 'openai';
import { createModelRouter } from '../../generated/model-router/index.js';
import { model } from '../../generated/models/image-provider/still-2.1.js';

/** One of the compared clients, with default settings except for the address. */
export type Caller = {
  readonly name: string;
  /** Runs a model once and returns a part of its output. */
  call(): Promise<unknown>;
};

const prompt = 'a harbour';
/** A successful response with the members that each of the clients expects. */
export const success = JSON.stringify({
  created: 0,
  images: [{ url: 'https://assets.example/1.png' }],
  data: [{ url: 'https://assets.example/1.png' }],
  seed: 1,
});

/** Creates the compared clients: `fetch` first, then the product's client, then the others. */
export function createCallers(url: string): Caller[] {
  const key = 'key';
  const router = createModelRouter({ baseUrl: url, apiKey: key });
  const fal = createFalClient({
    credentials: key,
    requestMiddleware: async (request) => ({ ...request, url: url + new URL(request.url).pathname }),
  });
  const openai = new OpenAI({ apiKey: key, baseURL: url });
  const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': key } };
  return [
    {
      name: 'fetch',
      async call() {
        const response = await fetch(`${url}/v2/models/${model.id}`, { ...init, body: JSON.stringify({ prompt }) });
        return ((await response.json()) as { seed: number }).seed; // `success` has this member
      },
    },
    { name: 'createModelRouter', call: async () => (await router.run(model, { prompt })).data.seed },
    { name: '@fal-ai/client', call: async () => (await fal.run('image-provider/still', { input: { prompt } })).data },
    { name: 'openai', call: async () => (await openai.images.generate({ model: 'still', prompt })).created },
  ];
}
