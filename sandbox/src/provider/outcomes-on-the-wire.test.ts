import { expect, test } from 'vitest';
import type { JsonObject } from '../../../specs/src/index.ts';
import { createTestSandbox, type Reply, type TestCall, type TestSandbox } from '../../tests/test-sandbox.ts';
import { sha256 } from '../digest.ts';

const path = '/v2/models/sandbox/outcomes';
const hourMs = 60 * 60 * 1000;

const run = (sandbox: TestSandbox, json: JsonObject, query = '', more: TestCall = {}) =>
  sandbox.call('POST', `${path}${query}`, { json, ...more });
const key = (value: string) => ({ headers: { 'Idempotency-Key': value } });
const told = ({ status, headers, json }: Reply) => ({
  status,
  errorType: headers.get('x-service-error-type'),
  inBody: json['error_type'],
  upstream: headers.get('x-service-upstream-status'),
  wait: headers.get('retry-after'),
});

test.each([
  ['content_policy_violation', 400, 'content_policy_violation', '400'],
  ['provider_error', 502, 'provider_error', '500'],
  ['uninterpretable', 502, 'provider_error', '200'],
  ['provider_timeout', 504, 'provider_timeout', null],
  ['refused_request', 400, 'invalid_input', '400'],
  ['internal_error', 500, 'internal_error', null],
  ['service_unavailable', 503, 'service_unavailable', null],
  ['deadline_exceeded', 504, 'deadline_exceeded', '202'],
])('answers %s with %i %s', async (outcome, status, errorType, upstream) => {
  const reply = told(await run(createTestSandbox(), { outcome }));
  expect(reply).toMatchObject({ status, errorType, inBody: errorType });
  if (outcome !== 'deadline_exceeded') expect(reply).toMatchObject({ upstream, wait: null });
});

test("passes on the provider's status, and chosen entries as the body of the 422", async () => {
  expect(told(await run(createTestSandbox(), { outcome: 'provider_error', upstream_status: 529 })).upstream).toBe(
    '529',
  );
  const entries = [
    { loc: ['a', 0, 'b'], msg: 'm', type: 'image_too_small', ctx: { min: { w: 1 } }, input: [null] },
    { loc: ['c'], msg: 'n', type: 'missing' },
  ];
  const refused = await run(createTestSandbox(), { outcome: 'refused_input', entries });
  expect(refused.json).toEqual({ detail: entries });
  expect(told(refused)).toMatchObject({ status: 422, errorType: 'invalid_input', upstream: '422' });
});

async function submit(sandbox: TestSandbox, json: JsonObject) {
  const handle = (await sandbox.call('POST', `${path}/requests`, { json })).json;
  sandbox.clock.advance(60_000);
  const status = await sandbox.call('GET', String(handle['status_url']));
  return { status: status.json, collected: await sandbox.call('GET', String(handle['response_url'])) };
}

test.each([
  ['content_policy_violation', 400, 'content_policy_violation'],
  ['provider_error', 502, 'provider_error'],
  ['provider_timeout', 504, 'provider_timeout'],
  ['refused_input', 422, 'invalid_input'],
])('ends a queued request in %s', async (outcome, status, errorType) => {
  const { status: body, collected } = await submit(createTestSandbox(), { outcome });
  expect(body).toMatchObject({ status: 'COMPLETED', error_type: errorType });
  expect(told(collected)).toMatchObject({ status, errorType });
});

test('answers a queued request with the bytes of the run', async () => {
  const input = { outcome: 'echo', prompt: 'é' };
  const sandbox = createTestSandbox();
  expect((await submit(sandbox, input)).collected.bytes).toEqual((await run(sandbox, input)).bytes);
});

test('lets the key collect a run that outlasts the hold time', async () => {
  const sandbox = createTestSandbox({ timings: { holdMs: 1000 } });
  const first = run(sandbox, { delay_ms: 5000 }, '', key('slow'));
  await new Promise((later) => setTimeout(later, 20)); // real time, in which the call comes to be held
  sandbox.clock.advance(1000);
  expect(told(await first)).toMatchObject({ status: 504, errorType: 'deadline_exceeded', wait: '4' });
  sandbox.clock.advance(4000);
  const collected = await run(sandbox, { delay_ms: 5000 }, '', key('slow'));
  expect([collected.status, collected.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
});

test('lets accepted work be collected after the deadline, unless its handle is lost', async () => {
  const sandbox = createTestSandbox();
  const input = { outcome: 'deadline_exceeded', delay_ms: 2000 };
  expect(told(await run(sandbox, input, '', key('kept')))).toMatchObject({ status: 504, wait: '2' });
  sandbox.clock.advance(2000);
  expect((await run(sandbox, input, '', key('kept'))).status).toBe(200);
  const lost = { ...input, collectable: false };
  expect(told(await run(sandbox, lost, '', key('lost')))).toMatchObject({ status: 504, wait: null });
  sandbox.clock.advance(2000);
  expect(told(await run(sandbox, lost, '', key('lost')))).toMatchObject({ status: 409, errorType: 'invalid_input' });
});

test.each([
  ['too long', { size_bytes: 2_000_000 }],
  ['with a failed copy', { assets: [{ hosting: 'failed_copy' }] }],
])('a result %s succeeds, and its key cannot be replayed', async (_, input) => {
  const sandbox = createTestSandbox();
  expect((await run(sandbox, input, '', key('k'))).status).toBe(200);
  expect(told(await run(sandbox, input, '', key('k')))).toMatchObject({ status: 409, errorType: 'invalid_input' });
});

test('sends the credits header once and never on a replay', async () => {
  const sandbox = createTestSandbox();
  const credits = async () =>
    (await run(sandbox, { credits_used: 7 }, '', key('k'))).headers.get('x-service-credits-used');
  expect([await credits(), await credits()]).toEqual(['7', null]);
});

test.each(['image/png', 'audio/wav', 'application/octet-stream', 'text/plain'])(
  'returns a result of type %s',
  async (type) => {
    const reply = await run(createTestSandbox(), { media_type: type });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.bytes.length).toBeGreaterThan(0);
  },
);

test('keeps the result under its key behind a proxied response', async () => {
  const sandbox = createTestSandbox();
  const input = { outcome: 'proxy_answer', proxy_body: 'truncated_json', proxy_status: 200 };
  const lost = await run(sandbox, input, '', key('k'));
  expect([lost.status, lost.headers.get('x-service-request-id')]).toEqual([200, null]);
  expect(() => JSON.parse(lost.text)).toThrow();
  const again = await run(sandbox, input, '', key('k'));
  expect([again.json['outcome'], again.headers.get('idempotent-replayed')]).toEqual(['proxy_answer', 'true']);
});

function listLinks({ text }: Reply): string[] {
  return [...text.matchAll(/"(http[^"]+)"/g)].map(([, url = '']) => url);
}
const open = (sandbox: TestSandbox, url: string) => sandbox.call('GET', url, { as: undefined });

test('serves hosted assets without a credential until they expire, and a replay does not renew them', async () => {
  const sandbox = createTestSandbox();
  const input = { assets: [{ hosting: 'hosted_24h' }, { hosting: 'hosted_12h', media_type: 'video/mp4' }] };
  const links = listLinks(await run(sandbox, input, '', key('k')));
  const statuses = async () => {
    const replies = [];
    for (const link of links) replies.push((await open(sandbox, link)).status);
    return replies;
  };
  const first = await open(sandbox, links[0] ?? '');
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
  sandbox.clock.advance(12 * hourMs);
  expect(listLinks(await run(sandbox, input, '', key('k')))).toEqual(links);
  expect(await statuses()).toEqual([200, 410]);
  sandbox.clock.advance(12 * hourMs);
  expect(await statuses()).toEqual([410, 410]);
});

test("expires a provider's link after an hour", async () => {
  const sandbox = createTestSandbox();
  const [kept = '', hosted = ''] = listLinks(
    await run(sandbox, { assets: [{ hosting: 'failed_copy' }, { hosting: 'hosted_24h' }] }),
  );
  sandbox.clock.advance(hourMs - 1);
  expect((await open(sandbox, kept)).status).toBe(200);
  sandbox.clock.advance(1);
  expect([(await open(sandbox, kept)).status, (await open(sandbox, hosted)).status]).toEqual([410, 200]);
});

test('forwards an unconverted body byte for byte, with its digest in the ledger', async () => {
  const sandbox = createTestSandbox();
  const body = '{\n  "outcome": "echo",\t"prompt": "caf\\u00e9 é" }';
  const reply = await sandbox.call('POST', path, { body });
  expect(reply.json['received']).toMatchObject({ text: body, sha256: sha256(body) });
  const ledger = await sandbox.call('GET', '/__sandbox/ledger');
  expect(ledger.text).toContain(sha256(body));
});

const header = (reply: Reply, name: string) => reply.headers.get(`x-service-router-${name}`);

test('sends an alternate the fields it knows, and names dropped fields in the header', async () => {
  const reply = await run(
    createTestSandbox(),
    { prompt: 'x'.repeat(201), note: 'ñ', alternate_outcome: 'echo' },
    '?model_provider=sandbox-two',
  );
  expect(reply.json).toMatchObject({ served_by: 'sandbox-two', received: { text: '{"alternate_outcome":"echo"}' } });
  expect(reply.json).not.toHaveProperty('engine');
  expect(JSON.parse(header(reply, 'dropped-params') ?? '')).toEqual([
    expect.stringMatching(/^prompt /),
    expect.stringMatching(/^note /),
  ]);
  expect(header(reply, 'fallback-provider')).toBeNull();
});

test('keeps body and result of the alternate under strict mode', async () => {
  const query = '?model_provider=sandbox-two&strict_mode=true';
  const body = '{ "alternate_outcome": "echo" }';
  const reply = await sandbox(query, body);
  expect(reply.json).toMatchObject({ engine: 'second', received: { text: body } });
  expect(header(reply, 'dropped-params')).toBeNull();
  expect((await sandbox(query, '{"outcome":"echo"}')).status).toBe(422);
});

function sandbox(query: string, body: string): Promise<Reply> {
  return createTestSandbox().call('POST', `${path}${query}`, { body });
}

test.each(['auto', 'sandbox-two'])('names the other provider under fallback_provider=%s', async (provider) => {
  const reply = await run(
    createTestSandbox(),
    { outcome: 'provider_error', prompt: 'x' },
    `?fallback_provider=${provider}`,
  );
  expect(reply.status).toBe(200);
  expect(header(reply, 'fallback-provider')).toBe('sandbox-two');
  expect(JSON.parse(header(reply, 'dropped-params') ?? '')).toEqual([expect.stringMatching(/^outcome /)]);
  expect(reply.json).toMatchObject({ outcome: 'succeed', served_by: 'sandbox-two' });
});

test.each([
  ['without the parameter', { outcome: 'provider_error' }, ''],
  ['for a failure of the request’s own', { outcome: 'content_policy_violation' }, '?fallback_provider=auto'],
  ['to the provider that failed', { outcome: 'provider_error' }, '?fallback_provider=sandbox'],
  [
    'when the other fails as well',
    { outcome: 'provider_error', alternate_outcome: 'provider_timeout' },
    '?fallback_provider=auto',
  ],
])('does not fall back %s', async (_, input, query) => {
  const reply = await run(createTestSandbox(), input, query);
  expect(told(reply).errorType).toBe(input.outcome);
  expect([header(reply, 'fallback-provider'), header(reply, 'dropped-params')]).toEqual([null, null]);
});

test('does not fall back under strict mode', async () => {
  const query = '?model_provider=sandbox-two&strict_mode=true&fallback_provider=auto';
  expect(told(await run(createTestSandbox(), { alternate_outcome: 'provider_error' }, query)).status).toBe(502);
});

test('falls back from an alternate to the model itself, with the unconverted body', async () => {
  const input = { alternate_outcome: 'provider_error', outcome: 'echo' };
  const reply = await run(createTestSandbox(), input, '?model_provider=sandbox-two&fallback_provider=sandbox');
  expect(header(reply, 'fallback-provider')).toBe('sandbox');
  expect(header(reply, 'dropped-params')).toBeNull();
  expect(reply.json).toMatchObject({ received: { text: JSON.stringify(input) } });
});

test('passes on a result that cannot be converted back', async () => {
  const reply = await run(createTestSandbox(), { alternate_outcome: 'odd_output' }, '?model_provider=sandbox-two');
  expect(reply.json).toMatchObject({ state: 'odd', engine: 'second' });
});
