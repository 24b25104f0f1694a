import { answered, application } from './toolchains/application.ts';

/** Source of a program that imports installed packages: the application of toolchains/, and both clients without retries. */
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

/** Result of `use` in `callingConsumer`. */
export const calledConsumer = { operations: 8, statuses: [200, 200, 200], listed: 2, called: answered };

/** Source of a program that gives a model's input schema to two libraries that accept Standard Schema, and reads the model's details. */
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
  const rejected = await caller.draw({ prompt: 'a boat', num_images: 9 }).catch((error: { code: string }) => error.code);
  const input: Input = { prompt: '', image_size: { width: 1, height: 512 } };
  const form = new FormApi({ defaultValues: input, validators: { onChange: inputSchema } });
  form.mount();
  await form.validateAllFields('change');
  form.validateSync('change');
  const failed = validateInput(input);
  return {
    drawn,
    rejected,
    form: Object.keys(form.state.errors[0] ?? {}).sort(),
    fields: failed.valid ? [] : Object.entries(fieldErrors(failed.detail)),
    example: isInput(details.exampleInput),
    stated: [details.title === model.id, details.inputModalities, details.outputModalities],
    facts: Object.keys(model),
  };
}
`;

/** Source of a program that checks the types of models in the router's client; runtime/tests/calls.test.ts checks the types of calls. */
export const typesConsumer = `
import { createModelRouter, type Models } from '@acme/model-router';
import { submit } from '@acme/model-router/queue';
import { model, type Alternates, type Input, type Output } from '@acme/models/image-provider/still-2.1';
import { model as layered } from '@acme/models/image-provider/composite_layers';

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const hints: Equal<Alternates, 'image-provider-two' | 'image-video-provider'> = true;
const mapped: Equal<Models['image-provider/still-2.1'], { input: Input; output: Output; alternates: Alternates }> = true;

export async function types(input: Input): Promise<void> {
  const router = createModelRouter();
  const plain = await router.run(model, input);
  const own: Equal<typeof plain.data, Output> = true;
  const other = await router.run('image-provider/still-2.1', input, { modelProvider: 'image-provider-two' });
  // @ts-expect-error the output may be unconverted
  const wrong: Output = other.data;
  if (!other.mayBeUnconverted) other.data satisfies Output;
  await router.run(model, input, { modelProvider: 'one-that-came-later' });
  // @ts-expect-error a canvas is an object
  await router.run(layered, { canvas: 3 });
  // @ts-expect-error a submission takes no query parameters
  await submit(router, model, input, { modelProvider: 'x' });
}
`;

/** Returns the source of a program with this number of equal calls. */
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
