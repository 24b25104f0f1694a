/**
 * Source of an application that uses the whole client: run, queue, assets, key store, errors. It imports from the folder
 * `generated` next to it.
 */
export const application = `
import { createMemoryKeyStore, createModelRouter, fieldErrors, isRouterError, RouterError, safe } from './generated/model-router/index.js';
import { downloadAsset, findAssets, toDataUrl } from './generated/model-router/assets.js';
import { createIndexedDbKeyStore } from './generated/model-router/browser.js';
import { listModels } from './generated/model-router/catalog.js';
import { submit } from './generated/model-router/queue.js';
import { listPending } from './generated/model-router/resume.js';
import { createWorkflowExecution, WorkflowError } from './generated/workflow-execution/index.js';
import { model, validateInput } from './generated/models/image-provider/still-2.1.js';

export async function use(given: { url: string; apiKey: string; token: string; job: string }) {
  const keyStore = createMemoryKeyStore();
  const router = createModelRouter({ baseUrl: given.url, apiKey: given.apiKey, keyStore });
  const input = { prompt: 'a boat', num_images: 1 };
  const result = await router.run(model, input, { validate: validateInput });
  const assets = findAssets(result);
  const reader = downloadAsset(assets[0]!, { allowHttp: true, maxBytes: 10_000_000 }).getReader();
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
  const handle = await submit(router, model, input);
  const states: string[] = [];
  for await (const state of handle) states.push(state.kind);
  const queued = await handle.result();
  let listed = 0;
  for await (const entry of listModels(router, { limit: 5 })) if (entry.id !== '') listed += 1;
  const rejected: unknown = await router.run({ id: 'nobody/none' }, {}).then(() => undefined, (error: unknown) => error);
  const invalid = await safe(router.run(model, { prompt: '' }, { validate: validateInput }));
  const checked = validateInput({ prompt: 'x', num_images: 'two' });
  const workflow = createWorkflowExecution({ baseUrl: given.url, token: given.token });
  const job = await workflow.getJobWorkflow(given.job);
  const lost: unknown = await workflow.getJobWorkflow('none').then(() => undefined, (error: unknown) => error);
  return {
    status: result.response.status,
    assets: assets.length > 0,
    bytes: bytes > 0,
    last: states[states.length - 1],
    queued: typeof queued.data,
    listed: listed > 20,
    rejected: [rejected instanceof RouterError, isRouterError(rejected), String(rejected).split(':')[0], RouterError.name],
    json: Object.keys(JSON.parse(JSON.stringify(rejected))).includes('message'),
    invalid: invalid.ok ? [] : [invalid.error.kind, invalid.error.attempts],
    fields: checked.valid ? [] : Object.keys(fieldErrors(checked.detail)),
    stores: typeof createIndexedDbKeyStore('calls').begin,
    pending: (await listPending(router)).length,
    job: job.format,
    lost: [lost instanceof WorkflowError, WorkflowError.name],
    url: (await toDataUrl(new Blob(['a'], { type: 'text/plain' }), { maxBytes: 100 })).slice(0, 15),
  };
}
`;

/** Result of `use` in the application, with every toolchain. */
export const answered = {
  ...{ status: 200, assets: true, bytes: true, last: 'succeeded', queued: 'object', listed: true },
  rejected: [true, true, 'RouterError', 'RouterError'],
  ...{ json: true, invalid: ['validation', 0], fields: ['num_images'], stores: 'function', pending: 0, job: 'save' },
  ...{ lost: [true, 'WorkflowError'], url: 'data:text/plain' },
};
