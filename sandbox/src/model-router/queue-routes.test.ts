import { expect, test } from 'vitest';
import { createTestSandbox, type Reply, type TestCall, type TestSandbox } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from '../http/authentication.ts';

const { router } = sandboxCredentials;
const still = '/v2/models/image-provider/still-2.1';
const input = { prompt: 'A lighthouse in fog' };
const unknownId = '00000000-0000-4000-8000-000000000000';

async function submit(sandbox: TestSandbox, call: TestCall = {}) {
  const reply = await sandbox.call('POST', `${still}/requests`, { json: input, ...call });
  expect(reply.status, reply.text).toBe(201);
  const { status_url: status, response_url: response, cancel_url: cancel } = reply.json;
  return {
    reply,
    id: String(reply.json['request_id']),
    status: String(status),
    response: String(response),
    cancel: String(cancel),
  };
}

test('returns a handle with absolute URLs on the called origin', async () => {
  const { reply, id } = await submit(createTestSandbox());
  const base = `http://sandbox.test${still}/requests/${id}`;
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(reply.json).toEqual({
    request_id: id,
    status: 'IN_QUEUE',
    queue_position: 0,
    status_url: `${base}/status`,
    response_url: base,
    cancel_url: `${base}/cancel`,
  });
});

test('moves a request from waiting to running to completed with the clock', async () => {
  const sandbox = createTestSandbox();
  const { status, response } = await submit(sandbox);
  const seen: [unknown, unknown, number][] = [];
  for (const step of [0, 150, 250, 60_000]) {
    sandbox.clock.advance(step);
    const poll = await sandbox.call('GET', status);
    expect(poll.status).toBe(200);
    expect(poll.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(poll.json).not.toHaveProperty('error_type');
    seen.push([poll.json['status'], poll.json['queue_position'], (await sandbox.call('GET', response)).status]);
  }
  expect(seen).toEqual([
    ['IN_QUEUE', 0, 202],
    ['IN_PROGRESS', undefined, 202],
    ['COMPLETED', undefined, 200],
    ['COMPLETED', undefined, 200],
  ]);
});

test('returns the status when collected early, and later the bytes of the synchronous run', async () => {
  const sandbox = createTestSandbox();
  const { status, response } = await submit(sandbox);
  const early = await sandbox.call('GET', response);
  expect(early.json).toEqual((await sandbox.call('GET', status)).json);
  expect(early.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  sandbox.clock.advance(150); // links are signed when work starts: run and request start together
  const run = await sandbox.call('POST', still, { json: input });
  sandbox.clock.advance(250);
  const collected = await sandbox.call('GET', response);
  expect(collected.bytes).toEqual(run.bytes);
  expect(collected.headers.get('content-type')).toBe(run.headers.get('content-type'));
  expect(collected.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await sandbox.call('GET', response)).bytes).toEqual(run.bytes);
});

test('counts queue positions from the front', async () => {
  const sandbox = createTestSandbox();
  const first = await submit(sandbox);
  const second = await submit(sandbox, { as: router.neighbour });
  expect(second.reply.json['queue_position']).toBe(1);
  await sandbox.call('PUT', first.cancel);
  expect((await sandbox.call('GET', second.status, { as: router.neighbour })).json['queue_position']).toBe(0);
});

test.each([0, 200])('cancels %i ms after submission, finally', async (after) => {
  const sandbox = createTestSandbox();
  const { id, status, response, cancel } = await submit(sandbox);
  sandbox.clock.advance(after);
  const cancelled = await sandbox.call('PUT', cancel);
  expect([cancelled.status, cancelled.json]).toEqual([202, { request_id: id, status: 'CANCELLATION_REQUESTED' }]);
  sandbox.clock.advance(60_000);
  expect((await sandbox.call('GET', status)).json).toMatchObject({ status: 'COMPLETED', error_type: 'cancelled' });
  const collected = await sandbox.call('GET', response);
  expect([collected.status, collected.json['error_type']]).toEqual([410, 'cancelled']);
});

test('answers ALREADY_COMPLETED to a late cancellation and changes nothing', async () => {
  const sandbox = createTestSandbox();
  const { id, status, response, cancel } = await submit(sandbox);
  sandbox.clock.advance(400);
  const late = await sandbox.call('PUT', cancel);
  expect([late.status, late.json]).toEqual([409, { request_id: id, status: 'ALREADY_COMPLETED' }]);
  expect(late.headers.get('x-service-error-type')).toBeNull();
  expect((await sandbox.call('GET', status)).json).not.toHaveProperty('error_type');
  expect((await sandbox.call('GET', response)).status).toBe(200);
});

test.each([
  ['another workspace', router.neighbour, '', 404],
  ['a user without workspace', router.solo, '', 404],
  ['a colleague', router.colleague, '', 200],
  ['the owner under another model', router.main, 'image-provider-two/still-pro', 404],
])('checks ownership: %s', async (_, as, model, status) => {
  const sandbox = createTestSandbox();
  const handle = await submit(sandbox);
  const elsewhere = (url: string): string => (model === '' ? url : url.replace('image-provider/still-2.1', model));
  const replies = [
    await sandbox.call('GET', elsewhere(handle.status), { as }),
    await sandbox.call('GET', elsewhere(handle.response), { as }),
    await sandbox.call('PUT', elsewhere(handle.cancel), { as }),
  ];
  if (status === 404) {
    expect(replies.map(notFound)).toEqual([true, true, true]);
    expect((await sandbox.call('GET', handle.status)).json['status']).toBe('IN_QUEUE');
  } else expect(replies.map((reply) => reply.status)).toEqual([200, 202, 202]);
});

function notFound(reply: Reply): boolean {
  return reply.status === 404 && reply.json['error_type'] === 'request_not_found';
}

test.each([
  ['GET', `${unknownId}/status`, 404],
  ['GET', unknownId, 404],
  ['PUT', `${unknownId}/cancel`, 404],
  ['GET', 'nonsense/status', 404],
  ['GET', unknownId.toUpperCase().replace('8', 'A'), 404],
  ['PUT', 'nonsense/cancel', 400],
  ['PUT', `${unknownId.replace('8', 'A')}/cancel`, 400],
])('answers %s of request %s with %i', async (method, rest, status) => {
  expect((await createTestSandbox().call(method, `${still}/requests/${rest}`)).status).toBe(status);
});

test.each([
  ['nothing', undefined, 202],
  ['JSON', '{}', 202],
  ['no JSON', '{', 400],
])('checks the body of a cancellation: %s', async (_, body, status) => {
  const sandbox = createTestSandbox();
  const { cancel } = await submit(sandbox);
  expect((await sandbox.call('PUT', cancel, body === undefined ? {} : { body })).status).toBe(status);
});

test.each([
  ['a body that the model refuses', {}, router.main, 422, 'invalid_input'],
  ['no credits', input, router.noCredits, 402, 'insufficient_credits'],
  ['no quota', input, router.rateLimited, 429, 'rate_limited'],
  ['no room under the cap', input, router.spendCapped, 429, 'concurrency_limit_exceeded'],
])('queues nothing with %s', async (_, json, as, status, errorType) => {
  const reply = await createTestSandbox().call('POST', `${still}/requests`, { json, as });
  expect([reply.status, reply.headers.get('x-service-error-type')]).toEqual([status, errorType]);
});

test('refuses to queue a model that returns bytes', async () => {
  const reply = await createTestSandbox().call('POST', '/v2/models/audio-provider/speech_v2/requests', {
    json: { text: 'x' },
  });
  expect([reply.status, reply.json['error_type']]).toEqual([403, 'not_enabled']);
});

test('lets a request be collected for a day', async () => {
  const sandbox = createTestSandbox();
  const { response } = await submit(sandbox);
  sandbox.clock.advance(24 * 60 * 60 * 1000 - 1);
  expect((await sandbox.call('GET', response)).status).toBe(200);
  sandbox.clock.advance(1);
  expect(notFound(await sandbox.call('GET', response))).toBe(true);
});
