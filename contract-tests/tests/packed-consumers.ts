/** Calls of both clients; compiled under every setting, run, and bundled. */
export const callingConsumer = `
import { createModelRouter, operations, RouterError, type Models } from '@acme/model-router';
import { createModelRouterClient } from '@acme/model-router/client';
import { findAssets } from '@acme/model-router/assets';
import { createWorkflowExecution } from '@acme/workflow-execution';
import { createWorkflowExecutionClient } from '@acme/workflow-execution/client';
import { model, type Input, type Output } from '@acme/models/image-provider/composite_layers';

declare const settings: { url: string; apiKey: string; token: string; job: string };

export const input: Input = { canvas: { width: 8, height: 8 }, layers: [{ kind: "caption", words: "a boat" }] };
export const byId: Models['image-provider/composite_layers']['input'] = input;
// @ts-expect-error a canvas is an object
export const wrong: Input = { canvas: 3 };

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

async function call(given: typeof settings): Promise<unknown> {
  const router = createModelRouter({ baseUrl: given.url, apiKey: given.apiKey });
  const { data, replayed } = await router.run(model, input);
  const isOutput: Equal<typeof data, Output> = true;
  const byName = await router.run('image-provider/composite_layers', input, { key: 'a-key-of-mine' });
  const isSame: Equal<typeof byName.data, Output> = true;
  const again = await router.run('image-provider/composite_layers', input, { key: 'a-key-of-mine' });
  const converted = await router.safe.run(model, input, { fallbackProvider: 'any' });
  // @ts-expect-error another provider's output may be in its own shape
  if (converted.ok) converted.data satisfies Output;
  const strict = await router.safe.run(model, { anything: 1 }, { modelProvider: 'nobody', strictMode: true });
  const handle = await router.submit(model, input);
  const states: string[] = [];
  for await (const state of handle) states.push(state.kind);
  const queued = await handle.result();
  const untyped = await router.untyped.run('nobody/none', {}).catch((error: unknown) => error);
  const category = untyped instanceof RouterError && untyped.kind === 'router' ? untyped.category.known : undefined;
  let listed = 0;
  for await (const entry of router.models({ limit: 5 })) if (entry.id !== '') listed += 1;
  const job = await createWorkflowExecution({ baseUrl: given.url, token: given.token }).getJobWorkflow(given.job);
  return {
    ...{ isOutput, isSame, replayed, again: again.replayed, strict: strict.ok, last: states.at(-1) },
    ...{ queued: typeof queued.data, category, listed: listed > 20, format: job.format },
    assets: findAssets({ data, replayed }, { model: model.id, receivedAt: Date.now() }).length > 0,
  };
}

export async function misuse(given: typeof settings): Promise<void> {
  const router = createModelRouter({ baseUrl: given.url, apiKey: given.apiKey });
  // @ts-expect-error no model of that id was imported
  await router.run('nobody/none', {});
  // @ts-expect-error a canvas is an object
  await router.run(model, { canvas: 3 });
  // @ts-expect-error strict mode needs a provider
  await router.run(model, input, { strictMode: true });
  // @ts-expect-error a submission takes no query parameters
  await router.submit(model, input, { modelProvider: 'x' });
}

export async function use(given: typeof settings): Promise<unknown> {
  const router = createModelRouterClient({ baseUrl: given.url, apiKey: given.apiKey });
  const page = await router.GET('/v2/models', { params: { query: { limit: 2 } } });
  const [provider = '', name = ''] = model.id.split('/');
  const path = { provider, model: name };
  const ran = await router.POST('/v2/models/{provider}/{model}', { params: { path }, body: input });
  const output = ran.data as Output | undefined;
  const refused = await router.GET('/v2/models/{provider}/{model}', { params: { path: { provider: 'nobody', model: 'none' } } });
  const jobs = createWorkflowExecutionClient({ baseUrl: given.url, token: given.token });
  const job = await jobs.GET('/api/v2/jobs/{id}/workflow', { params: { path: { id: given.job } } });
  return {
    operations: Object.keys(operations).length,
    listed: page.data?.data.length,
    ran: ran.response.status,
    hasOutput: output !== undefined,
    refused: refused.error?.error_type,
    job: job.response.status,
    called: await call(given),
  };
}
`;

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
