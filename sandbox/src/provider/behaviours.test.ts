import { expect, test } from 'vitest';
import type { JsonObject } from '../../../specs/src/index.ts';
import { createTestSandbox, testModel } from '../../tests/test-sandbox.ts';
import { modelFailure, modelFile } from './behaviours.ts';

const id = 'image-provider/still-2.1';
const path = `/v2/models/${id}`;
const json = { prompt: 'a harbour' };

test('a handler is only called for runs of its model', async () => {
  const sandbox = createTestSandbox();
  sandbox.on(id, (input) => ({ drawn: input['prompt'] ?? null }));
  expect((await sandbox.call('POST', path, { json })).json).toEqual({ drawn: 'a harbour' });
  const other = await sandbox.call('POST', '/v2/models/sandbox/outcomes', { json: {} });
  expect(other.json).toMatchObject({ outcome: 'succeed' });
});

test('a handler is also called for queued requests', async () => {
  const sandbox = createTestSandbox();
  sandbox.on(id, () => ({ drawn: 'later' }));
  const { json: handle } = await sandbox.call('POST', `${path}/requests`, { json });
  sandbox.clock.advance('1m');
  const result = await sandbox.call('GET', `${path}/requests/${handle['request_id']}`);
  expect(result.json).toMatchObject({ drawn: 'later' });
});

test('a handler is not called for an input that violates the schema', async () => {
  const sandbox = createTestSandbox();
  let calls = 0;
  sandbox.on(id, () => {
    calls += 1;
    return {};
  });
  expect((await sandbox.call('POST', path, { json: { prompt: 7 } })).status).toBe(422);
  expect(calls).toBe(0);
});

const failureCases = [
  { answer: modelFailure('content_policy_violation'), status: 400, category: 'content_policy_violation' },
  {
    answer: modelFailure('provider_error', { upstreamStatus: 529 }),
    status: 502,
    category: 'provider_error',
    upstream: '529',
  },
  { answer: modelFailure('uninterpretable'), status: 502, category: 'provider_error', upstream: '200' },
  { answer: modelFailure('provider_timeout'), status: 504, category: 'provider_timeout' },
  { answer: modelFailure('refused_request'), status: 400, category: 'invalid_input', upstream: '400' },
  { answer: modelFailure('internal_error'), status: 500, category: 'internal_error' },
  { answer: modelFailure('service_unavailable'), status: 503, category: 'service_unavailable' },
];

test.each(failureCases)(
  'a handler can make its run fail with $status $category',
  async ({ answer, status, category, upstream }) => {
    const sandbox = createTestSandbox();
    sandbox.on(id, () => answer);
    const reply = await sandbox.call('POST', path, { json });
    expect([reply.status, reply.headers.get('x-service-error-type')]).toEqual([status, category]);
    if (upstream !== undefined) expect(reply.headers.get('x-service-upstream-status')).toBe(upstream);
  },
);

test('a handler can reject fields of its input', async () => {
  const sandbox = createTestSandbox();
  const entries = [{ loc: ['prompt'], msg: 'too gloomy', type: 'value_error' }];
  sandbox.on(id, () => modelFailure('refused_input', { entries }));
  const reply = await sandbox.call('POST', path, { json });
  expect([reply.status, reply.json['detail']]).toMatchObject([422, [{ msg: 'too gloomy' }]]);
});

test('a handler can return a file', async () => {
  const sandbox = createTestSandbox();
  sandbox.on(id, () => modelFile(new Uint8Array([1, 2, 3]), 'image/png'));
  const reply = await sandbox.call('POST', path, { json });
  expect([reply.headers.get('content-type'), [...reply.bytes]]).toEqual(['image/png', [1, 2, 3]]);
});

test('a run takes as long as the latency that sandbox.on sets for its model', async () => {
  const sandbox = createTestSandbox();
  sandbox.on(id, { latencyMs: 2000 });
  let isOver = false;
  const run = sandbox.call('POST', path, { json }).finally(() => {
    isOver = true;
  });
  await expect.poll(() => sandbox.ledger().runs.length).toBe(1);
  sandbox.clock.advance(1999);
  await sandbox.call('GET', '/v2/models');
  expect(isOver).toBe(false);
  sandbox.clock.advance(1);
  expect((await run).status).toBe(200);
});

test('failureRate makes a fraction of the runs fail, and the seed decides which ones', async () => {
  const statuses = async (seed: number): Promise<number[]> => {
    const sandbox = createTestSandbox({ seed });
    sandbox.on(id, { failureRate: 0.3, failure: modelFailure('service_unavailable') });
    return Promise.all(Array.from({ length: 100 }, async () => (await sandbox.call('POST', path, { json })).status));
  };
  const first = await statuses(1);
  expect(first.filter((status) => status === 503).length).toSatisfy((count: number) => count > 15 && count < 45);
  expect(await statuses(1)).toEqual(first);
  expect(await statuses(2)).not.toEqual(first);
});

test('the function that sandbox.on returns removes the behaviour, unless a newer one was set', async () => {
  const sandbox = createTestSandbox();
  sandbox.on(id, () => modelFailure('provider_error'))();
  expect((await sandbox.call('POST', path, { json })).status).toBe(200);
  const remove = sandbox.on(id, {});
  sandbox.on(id, () => ({ drawn: 'last' }));
  remove();
  expect((await sandbox.call('POST', path, { json })).json).toEqual({ drawn: 'last' });
});

test('an admin route sets and removes a fixed output, failures and latency', async () => {
  const sandbox = createTestSandbox();
  const route = `/__sandbox/models/${id}/behaviour`;
  const set = (behaviour: object) => sandbox.call('PUT', route, { json: behaviour });
  const run = () => sandbox.call('POST', path, { json });
  await set({ output: { drawn: 'fixed' } });
  expect((await run()).json).toEqual({ drawn: 'fixed' });
  await set({ failure: 'provider_error', upstream_status: 529 });
  const failed = await run();
  expect([failed.status, failed.headers.get('x-service-upstream-status')]).toEqual([502, '529']);
  await set({ output: { drawn: 'fixed' }, failure: 'service_unavailable', failure_rate: 0 });
  expect((await run()).status).toBe(200);
  await sandbox.call('DELETE', route);
  expect((await run()).json).not.toEqual({ drawn: 'fixed' });
  const wrong = [
    { failure: 'none' },
    { failure_rate: '1' },
    { latency_ms: -1 },
    { rate: 1 },
    { failure: 'provider_error', upstream_status: 7 },
  ];
  for (const behaviour of wrong) expect([behaviour, (await set(behaviour)).status]).toEqual([behaviour, 400]);
  expect((await sandbox.call('PUT', '/__sandbox/models/no/such/behaviour', { json: {} })).status).toBe(404);
});

test('fetch rejects with the reason if a handler throws', async () => {
  const sandbox = createTestSandbox();
  sandbox.on(id, () => {
    throw new Error('not drawn');
  });
  await expect(sandbox.call('POST', path, { json })).rejects.toThrow(`the handler of ${id} failed: not drawn`);
});

const invalidCalls = [
  { name: 'an unknown model', model: 'no/such', behaviour: {}, message: /no model "no\/such"/ },
  { name: 'an unknown member', model: id, behaviour: { latency: 1 }, message: /"latency" is unknown/ },
  { name: 'a negative latency', model: id, behaviour: { latencyMs: -1 }, message: /latencyMs/ },
  { name: 'a rate above one', model: id, behaviour: { failureRate: 2 }, message: /failureRate/ },
];

test.each(invalidCalls)('sandbox.on rejects $name', ({ model, behaviour, message }) => {
  expect(() => createTestSandbox().on(model, behaviour)).toThrow(message);
});

test('an input that is an example in the document gets the output example of the same name', async () => {
  const content = (day: JsonObject, night: JsonObject): JsonObject => ({
    content: {
      'application/json': { schema: { type: 'object' }, examples: { day: { value: day }, night: { value: night } } },
    },
  });
  const model = testModel('maker/one', {
    requestBody: content({ at: 'noon' }, { at: 'midnight', moon: true }),
    responses: { 200: content({ light: 1 }, { light: 0 }) },
  });
  const sandbox = createTestSandbox({ catalog: [model] });
  const light = async (input: object): Promise<unknown> =>
    (await sandbox.call('POST', '/v2/models/maker/one', { json: input })).json['light'];
  expect([
    await light({ at: 'noon' }),
    await light({ moon: true, at: 'midnight' }),
    await light({ at: 'dawn' }),
  ]).toEqual([1, 0, 1]);
});
