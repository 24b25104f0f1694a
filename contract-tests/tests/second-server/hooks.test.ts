import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyed, type Session, sessionWith } from './session.ts';
import { startServer } from './start.ts';

let session: Session;
beforeAll(async () => {
  session = sessionWith(await startServer({ hooks: true, hooksCredential: 'for-hooks' }));
});
afterAll(() => session.server.close());

const outcomes = '/v2/models/sandbox/outcomes';

async function hook(method: string, path: string, body?: unknown, credential = 'for-hooks') {
  const init = { method, headers: { authorization: `Bearer ${credential}` } };
  return fetch(
    `${session.server.hooksUrl}${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
}

const run = (input: unknown, query = '', headers = {}) => session.post(outcomes + query, input, 'main', headers);

it('says what is offered, to those who have the credential', async () => {
  expect((await (await hook('GET', '')).json()).version).toBe(1);
  expect((await hook('GET', '', undefined, 'other')).status).toBe(401);
});

it('moves time', async () => {
  const { now_ms: before } = await (await hook('POST', '/clock', { advance_ms: 0 })).json();
  const { now_ms: after } = await (await hook('POST', '/clock', { advance_ms: 60_000 })).json();
  expect(after - before).toBeGreaterThanOrEqual(60_000);
  expect((await hook('POST', '/clock', { advance_ms: 0.5 })).status).toBe(400);
});

it('scripts the next failure of an operation', async () => {
  const wish = { operation: 'listModels', error_type: 'service_unavailable' };
  expect(await (await hook('POST', '/script', wish)).json()).toEqual({ pending: 1 });
  expect([(await session.call('/v2/models')).status, (await session.call('/v2/models')).status]).toEqual([503, 200]);
  await hook('POST', '/script', { operation: 'readJobWorkflow', code: 'upstream_error' });
  expect((await session.workflow(`${session.server.jobs.saved}/workflow`)).status).toBe(500);
  expect((await hook('POST', '/script', { operation: 'listModels', code: 'upstream_error' })).status).toBe(400);
  await hook('POST', '/script', wish);
  expect(await (await hook('DELETE', '/script')).json()).toEqual({ pending: 0 });
});

it.each([
  ['succeed', 200, null],
  ['content_policy_violation', 400, 'content_policy_violation'],
  ['refused_input', 422, 'invalid_input'],
  ['refused_request', 400, 'invalid_input'],
  ['provider_error', 502, 'provider_error'],
  ['uninterpretable', 502, 'provider_error'],
  ['provider_timeout', 504, 'provider_timeout'],
  ['deadline_exceeded', 504, 'deadline_exceeded'],
  ['internal_error', 500, 'internal_error'],
  ['service_unavailable', 503, 'service_unavailable'],
])('obeys: %s', async (outcome, status, errorType) => {
  const response = await run({ outcome });
  expect([response.status, response.headers.get('x-service-error-type')]).toEqual([status, errorType]);
});

it('collects the result of a deadline under its key', async () => {
  const input = { outcome: 'deadline_exceeded', delay_ms: 3_000_000 };
  const first = await run(input, '', keyed('d'));
  expect([first.status, first.headers.get('retry-after')]).toEqual([504, '1']);
  await hook('POST', '/clock', { advance_ms: 3_000_001 });
  expect((await run(input, '', keyed('d'))).headers.get('idempotent-replayed')).toBe('true');
});

it('converts for the alternate provider, and back', async () => {
  const converted = await run({ outcome: 'echo', prompt: 'fog' }, '?model_provider=sandbox-two');
  const dropped = JSON.parse(JSON.parse(converted.headers.get('x-service-router-dropped-params') ?? ''));
  expect(dropped).toHaveLength(1);
  const body = await converted.json();
  expect([body.served_by, 'engine' in body]).toEqual(['sandbox-two', false]);
  const strict = await run({ alternate_outcome: 'echo' }, '?model_provider=sandbox-two&strict_mode=true');
  expect((await strict.json()).received.text).toBe('{"alternate_outcome":"echo"}');
  const saved = await run({ outcome: 'provider_error' }, '?fallback_provider=auto');
  expect(saved.headers.get('x-service-router-fallback-provider')).toBe('sandbox-two');
});

it('serves copies until their time is over', async () => {
  const body = await (await run({ assets: [{ hosting: 'hosted_12h' }, { hosting: 'inline_video' }] })).json();
  expect(body.response.videos).toHaveLength(1);
  const { url } = body.assets[0];
  expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
  await hook('POST', '/clock', { advance_ms: 12 * 3_600_000 });
  expect((await fetch(url)).status).toBe(410);
});
