import { expect, test } from 'vitest';
import type { JsonObject } from '../../../specs/src/index.ts';
import { createTestSandbox, type Reply, type TestCall, type TestSandbox } from '../../tests/test-sandbox.ts';
import { sha256 } from '../digest.ts';

const path = '/v2/models/sandbox/outcomes';
const hourMs = 60 * 60 * 1000;

const run = (trial: TestSandbox, json: JsonObject, query = '', more: TestCall = {}) =>
  trial.call('POST', `${path}${query}`, { json, ...more });
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
])('%s is answered %i %s', async (outcome, status, errorType, upstream) => {
  const reply = told(await run(createTestSandbox(), { outcome }));
  expect(reply).toMatchObject({ status, errorType, inBody: errorType });
  if (outcome !== 'deadline_exceeded') expect(reply).toMatchObject({ upstream, wait: null });
});

test('a status of the provider is passed on, and chosen entries are the body of the 422', async () => {
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

async function submit(trial: TestSandbox, json: JsonObject) {
  const handle = (await trial.call('POST', `${path}/requests`, { json })).json;
  trial.clock.advance(60_000);
  const status = await trial.call('GET', String(handle['status_url']));
  return { status: status.json, collected: await trial.call('GET', String(handle['response_url'])) };
}

test.each([
  ['content_policy_violation', 400, 'content_policy_violation'],
  ['provider_error', 502, 'provider_error'],
  ['provider_timeout', 504, 'provider_timeout'],
  ['refused_input', 422, 'invalid_input'],
])('a queued request can end in %s', async (outcome, status, errorType) => {
  const { status: body, collected } = await submit(createTestSandbox(), { outcome });
  expect(body).toMatchObject({ status: 'COMPLETED', error_type: errorType });
  expect(told(collected)).toMatchObject({ status, errorType });
});

test('a queued request is answered with the bytes of the run', async () => {
  const input = { outcome: 'echo', prompt: 'é' };
  const trial = createTestSandbox();
  expect((await submit(trial, input)).collected.bytes).toEqual((await run(trial, input)).bytes);
});

test('a provider that takes longer than the router holds is collected with the key', async () => {
  const trial = createTestSandbox({ timings: { holdMs: 1000 } });
  const first = run(trial, { delay_ms: 5000 }, '', key('slow'));
  await new Promise((later) => setTimeout(later, 20)); // real time, in which the call comes to be held
  trial.clock.advance(1000);
  expect(told(await first)).toMatchObject({ status: 504, errorType: 'deadline_exceeded', wait: '4' });
  trial.clock.advance(4000);
  const collected = await run(trial, { delay_ms: 5000 }, '', key('slow'));
  expect([collected.status, collected.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
});

test('accepted work can be collected after the deadline, unless its handle is lost', async () => {
  const trial = createTestSandbox();
  const input = { outcome: 'deadline_exceeded', delay_ms: 2000 };
  expect(told(await run(trial, input, '', key('kept')))).toMatchObject({ status: 504, wait: '2' });
  trial.clock.advance(2000);
  expect((await run(trial, input, '', key('kept'))).status).toBe(200);
  const lost = { ...input, collectable: false };
  expect(told(await run(trial, lost, '', key('lost')))).toMatchObject({ status: 504, wait: null });
  trial.clock.advance(2000);
  expect(told(await run(trial, lost, '', key('lost')))).toMatchObject({ status: 409, errorType: 'invalid_input' });
});

test.each([
  ['too long', { size_bytes: 2_000_000 }],
  ['with a failed copy', { assets: [{ hosting: 'failed_copy' }] }],
])('a result %s succeeds, and its key cannot be replayed', async (_, input) => {
  const trial = createTestSandbox();
  expect((await run(trial, input, '', key('k'))).status).toBe(200);
  expect(told(await run(trial, input, '', key('k')))).toMatchObject({ status: 409, errorType: 'invalid_input' });
});

test('credits used are told once and never replayed', async () => {
  const trial = createTestSandbox();
  const credits = async () =>
    (await run(trial, { credits_used: 7 }, '', key('k'))).headers.get('x-service-credits-used');
  expect([await credits(), await credits()]).toEqual(['7', null]);
});

test.each(['image/png', 'audio/wav', 'application/octet-stream', 'text/plain'])('a result may be %s', async (type) => {
  const reply = await run(createTestSandbox(), { media_type: type });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.bytes.length).toBeGreaterThan(0);
});

test('a proxy’s page hides a result that the key still gives', async () => {
  const trial = createTestSandbox();
  const input = { outcome: 'proxy_answer', proxy_body: 'truncated_json', proxy_status: 200 };
  const lost = await run(trial, input, '', key('k'));
  expect([lost.status, lost.headers.get('x-service-request-id')]).toEqual([200, null]);
  expect(() => JSON.parse(lost.text)).toThrow();
  const again = await run(trial, input, '', key('k'));
  expect([again.json['outcome'], again.headers.get('idempotent-replayed')]).toEqual(['proxy_answer', 'true']);
});

function linksOf({ text }: Reply): string[] {
  return [...text.matchAll(/"(http[^"]+)"/g)].map(([, url = '']) => url);
}
const open = (trial: TestSandbox, url: string) => trial.call('GET', url, { as: undefined });

test('hosted assets open without a credential until they expire, and a replay does not renew them', async () => {
  const trial = createTestSandbox();
  const input = { assets: [{ hosting: 'hosted_24h' }, { hosting: 'hosted_12h', media_type: 'video/mp4' }] };
  const links = linksOf(await run(trial, input, '', key('k')));
  const statuses = async () => {
    const replies = [];
    for (const link of links) replies.push((await open(trial, link)).status);
    return replies;
  };
  const first = await open(trial, links[0] ?? '');
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
  trial.clock.advance(12 * hourMs);
  expect(linksOf(await run(trial, input, '', key('k')))).toEqual(links);
  expect(await statuses()).toEqual([200, 410]);
  trial.clock.advance(12 * hourMs);
  expect(await statuses()).toEqual([410, 410]);
});

test('a provider’s reference dies after an hour', async () => {
  const trial = createTestSandbox();
  const [kept = '', hosted = ''] = linksOf(
    await run(trial, { assets: [{ hosting: 'failed_copy' }, { hosting: 'hosted_24h' }] }),
  );
  trial.clock.advance(hourMs - 1);
  expect((await open(trial, kept)).status).toBe(200);
  trial.clock.advance(1);
  expect([(await open(trial, kept)).status, (await open(trial, hosted)).status]).toEqual([410, 200]);
});

test('the body of an unconverted run arrives byte for byte, and the ledger knows its digest', async () => {
  const trial = createTestSandbox();
  const body = '{\n  "outcome": "echo",\t"prompt": "caf\\u00e9 é" }';
  const reply = await trial.call('POST', path, { body });
  expect(reply.json['received']).toMatchObject({ text: body, sha256: sha256(body) });
  const ledger = await trial.call('GET', '/__sandbox/ledger');
  expect(ledger.text).toContain(sha256(body));
});

const header = (reply: Reply, name: string) => reply.headers.get(`x-service-router-${name}`);

test('an alternate is sent what it can express, and the header tells the rest', async () => {
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

test('under strict mode body and result are the alternate’s own', async () => {
  const query = '?model_provider=sandbox-two&strict_mode=true';
  const body = '{ "alternate_outcome": "echo" }';
  const reply = await trial(query, body);
  expect(reply.json).toMatchObject({ engine: 'second', received: { text: body } });
  expect(header(reply, 'dropped-params')).toBeNull();
  expect((await trial(query, '{"outcome":"echo"}')).status).toBe(422);
});

function trial(query: string, body: string): Promise<Reply> {
  return createTestSandbox().call('POST', `${path}${query}`, { body });
}

test.each(['auto', 'sandbox-two'])('fallback_provider=%s finds another provider, and names it', async (provider) => {
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
])('there is no fallback %s', async (_, input, query) => {
  const reply = await run(createTestSandbox(), input, query);
  expect(told(reply).errorType).toBe(input.outcome);
  expect([header(reply, 'fallback-provider'), header(reply, 'dropped-params')]).toEqual([null, null]);
});

test('under strict mode there is none either', async () => {
  const query = '?model_provider=sandbox-two&strict_mode=true&fallback_provider=auto';
  expect(told(await run(createTestSandbox(), { alternate_outcome: 'provider_error' }, query)).status).toBe(502);
});

test('from an alternate the way back leads to the model itself, with the body as it came', async () => {
  const input = { alternate_outcome: 'provider_error', outcome: 'echo' };
  const reply = await run(createTestSandbox(), input, '?model_provider=sandbox-two&fallback_provider=sandbox');
  expect(header(reply, 'fallback-provider')).toBe('sandbox');
  expect(header(reply, 'dropped-params')).toBeNull();
  expect(reply.json).toMatchObject({ received: { text: JSON.stringify(input) } });
});

test('a result that cannot come back is passed on raw', async () => {
  const reply = await run(createTestSandbox(), { alternate_outcome: 'odd_output' }, '?model_provider=sandbox-two');
  expect(reply.json).toMatchObject({ state: 'odd', engine: 'second' });
});
