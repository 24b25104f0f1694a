import { answered, application } from './toolchains/application.ts';

/** The application of the toolchains, as users of the packages import it, and both clients without retries. */
export const callingConsumer = `${application
  .replaceAll(/'\.\/generated\/(.+?)(?:\/index)?\.js'/g, "'@acme/$1'")
  .replace('export async function use(', 'async function callModels(')}
import { operations } from '@acme/model-router';
import { createModelRouterWithoutRetries } from '@acme/model-router/client';
import { createWorkflowExecutionWithoutRetries } from '@acme/workflow-execution/client';

export async function use(given: { url: string; apiKey: string; token: string; job: string }): Promise<unknown> {
  const router = createModelRouterWithoutRetries({ baseUrl: given.url, apiKey: given.apiKey });
  const page = await router.GET('/v2/models', { params: { query: { limit: 2 } } });
  const path = { provider: 'image-provider', model: 'still-2.1' };
  const ran = await router.POST('/v2/models/{provider}/{model}', { params: { path }, body: { prompt: 'a boat' } });
  const jobs = createWorkflowExecutionWithoutRetries({ baseUrl: given.url, token: given.token });
  const job = await jobs.GET('/api/v2/jobs/{id}/workflow', { params: { path: { id: given.job } } });
  return {
    operations: Object.keys(operations).length,
    statuses: [page.response.status, ran.response.status, job.response.status],
    listed: page.data?.data.length,
    called: await callModels(given),
  };
}
`;

/** What it answers. */
export const calledConsumer = { operations: 8, statuses: [200, 200, 200], listed: 2, called: answered };

/** A model's input schema in the hands of two libraries that take Standard Schema, and its details. */
export const schemaConsumer = `
import { FormApi } from '@tanstack/form-core';
import { initTRPC } from '@trpc/server';
import { fieldErrors } from '@acme/model-router';
import { details, inputSchema, isInput, model, validateInput, type Input } from '@acme/models/image-provider/still-2.1';

const t = initTRPC.create();
const server = t.router({
  draw: t.procedure.input(inputSchema).mutation(({ input }) => input.prompt satisfies string),
});
const caller = server.createCaller({});

export async function misuse(): Promise<void> {
  // @ts-expect-error a prompt is a string
  await caller.draw({ prompt: 3 });
}

export async function use(): Promise<unknown> {
  const drawn = await caller.draw({ prompt: 'a boat' });
  const refused = await caller.draw({ prompt: 'a boat', num_images: 9 }).catch((error: { code: string }) => error.code);
  const input: Input = { prompt: '', image_size: { width: 1, height: 512 } };
  const form = new FormApi({ defaultValues: input, validators: { onChange: inputSchema } });
  form.mount();
  await form.validateAllFields('change');
  form.validateSync('change');
  const failed = validateInput(input);
  return {
    drawn,
    refused,
    form: Object.keys(form.state.errors[0] ?? {}).sort(),
    fields: failed.valid ? [] : Object.entries(fieldErrors(failed.detail)),
    example: isInput(details.exampleInput),
    stated: [details.title === model.id, details.inputModalities, details.outputModalities],
    facts: Object.keys(model),
  };
}
`;

/** The typed paths, with openapi-fetch itself and with the client that the packages make of it. */
export const pathsConsumer = `
import createClient from 'openapi-fetch';
import type { paths } from '@acme/model-router';
import { createModelRouterWithoutRetries } from '@acme/model-router/client';
import type { paths as workflowPaths } from '@acme/workflow-execution';
import { createWorkflowExecutionWithoutRetries } from '@acme/workflow-execution/client';

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
declare const settings: { url: string; apiKey: string; token: string };

const path = { provider: 'p', model: 'm' };

export async function own(given: typeof settings): Promise<void> {
  const client = createClient<paths>({ baseUrl: given.url });
  const { data, error } = await client.GET('/v2/models/{provider}/{model}', { params: { path } });
  if (error !== undefined) {
    const word: string = error.error_type;
    if (error.error_type.startsWith('rate')) console.log(word.length);
  }
  if (data !== undefined) {
    const fact: string = data.billing.charges_on_policy_rejection;
    console.log(fact.toUpperCase());
  }
  const jobs = createClient<workflowPaths>({ baseUrl: given.url });
  const job = await jobs.GET('/api/v2/jobs/{id}/workflow', { params: { path: { id: 'x' } } });
  if (job.error !== undefined) console.log(job.error.error.code.length);
}

export async function shipped(given: typeof settings): Promise<void> {
  const client = createModelRouterWithoutRetries({ baseUrl: given.url, apiKey: given.apiKey });
  const entry = await client.GET('/v2/models/{provider}/{model}', { params: { path } });
  if (entry.data !== undefined) {
    const fact: string = entry.data.billing.charges_on_policy_rejection;
    const none: undefined = entry.error;
  } else {
    const word: string = entry.error.error_type;
    console.log(entry.response.status, entry.response.headers.get('x-service-request-id'));
  }
  const ran = await client.POST('/v2/models/{provider}/{model}', { params: { path }, body: { prompt: 'a boat' } });
  const output: unknown = ran.data;
  const text = await client.POST('/v2/models/{provider}/{model}', { params: { path }, body: {}, parseAs: 'text' });
  const asText: Equal<typeof text.data, string | undefined> = true;
  const document = await client.GET('/v2/models/{provider}/{model}/openapi.json', { params: { path } });
  if (document.data === undefined) console.log(document.response.status satisfies number);
  const listed = await client.GET('/v2/models');
  const id: string | undefined = listed.data?.data[0]?.id;
  // @ts-expect-error the path needs its parameters
  await client.GET('/v2/models/{provider}/{model}');
  // @ts-expect-error no such path
  await client.GET('/v2/nothing');
  // @ts-expect-error a list has no POST
  await client.POST('/v2/models', {});
  // @ts-expect-error an input is an object
  await client.POST('/v2/models/{provider}/{model}', { params: { path }, body: 'x' });
  const jobs = createWorkflowExecutionWithoutRetries({ baseUrl: given.url, token: given.token });
  const job = await jobs.GET('/api/v2/jobs/{id}/workflow', { params: { path: { id: 'x' } } });
  if (job.data?.format === 'api') console.log(Object.keys(job.data.workflow));
}
`;

/** What the types of the router's client permit, with a model whose document names other providers. */
export const typesConsumer = `
import { createModelRouter, safe, type Models } from '@acme/model-router';
import { submit, subscribe } from '@acme/model-router/queue';
import { model, type Alternates, type Input, type Output } from '@acme/models/image-provider/still-2.1';
import { model as layered, type Input as Layers } from '@acme/models/image-provider/composite_layers';
import { model as alone } from '@acme/models/image-provider/restyle';

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const hints: Equal<Alternates, 'image-provider-two' | 'image-video-provider'> = true;
const mapped: Equal<Models['image-provider/still-2.1'], { input: Input; output: Output; alternates: Alternates }> = true;

export const layers: Layers = { canvas: { width: 8, height: 8 }, layers: [{ kind: 'caption', words: 'a boat' }] };
// @ts-expect-error a canvas is an object
export const wrong: Layers = { canvas: 3 };

export async function types(input: Input): Promise<void> {
  const router = createModelRouter();
  const plain = await router.run(model, input);
  const own: Equal<typeof plain.data, Output> = true;
  for (const target of [model, 'image-provider/still-2.1'] as const) {
    const other = await router.run(target, input, { modelProvider: 'image-provider-two' });
    // @ts-expect-error the output may be unconverted
    const wrong: Output = other.data;
    if (!other.mayBeUnconverted) other.data satisfies Output;
    else other.data satisfies unknown;
  }
  await router.run(model, input, { modelProvider: 'one-that-came-later' });
  await router.run(alone, { image_url: 'https://assets.example/a.png' } as never, { modelProvider: 'any' });
  const strict = await router.run(model, { of: ['another', 'shape'] }, { modelProvider: 'image-provider-two', strictMode: true });
  const unknownOutput: Equal<typeof strict.data, unknown> = true;
  const outcome = await safe(router.run('image-provider/still-2.1', input));
  if (outcome.ok) outcome.data satisfies Output;
  else outcome.error.kind satisfies string;

  // @ts-expect-error strict mode needs a provider
  await router.run(model, input, { strictMode: true });
  // @ts-expect-error a fallback is no provider
  await router.run(model, input, { fallbackProvider: 'image-provider-two', strictMode: true });
  // @ts-expect-error without strict mode the input is the model's own
  await router.run(model, { of: ['another', 'shape'] }, { modelProvider: 'image-provider-two' });
  // @ts-expect-error no model of that id was imported
  await router.run('video-provider/frame', input);
  // @ts-expect-error nor is one for the queue
  await submit(router, 'video-provider/frame', input);
  // @ts-expect-error a canvas is an object
  await router.run(layered, { canvas: 3 });
  // @ts-expect-error a submission takes no query parameters
  await submit(router, model, input, { modelProvider: 'x' });
  // @ts-expect-error a subscription takes no query parameters
  await subscribe(router, model, input, { modelProvider: 'image-provider-two' });
  const id: string = model.id;
  // @ts-expect-error an id that is known only at run time is given as { id }
  await router.run(id, input);
  await router.run({ id }, input);
}
`;

/** Calls that differ in nothing but their number. */
export function repeatedCalls(count: number): string {
  const call = `  await router.run(model, { prompt: 'a boat' }, { modelProvider: 'any' });\n`;
  return `
import { createModelRouter } from '@acme/model-router';
import { model } from '@acme/models/image-provider/still-2.1';
const router = createModelRouter();
export async function use(): Promise<void> {
${call.repeat(count)}}
`;
}
