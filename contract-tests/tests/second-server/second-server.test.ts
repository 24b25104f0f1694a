import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bugs } from './bugs.ts';
import { keyed, obedient, type Session, type Started, sessionWith, still } from './session.ts';
import { startServer } from './start.ts';

let session: Session;
let server: Started;
let call: Session['call'];
let post: Session['post'];
beforeAll(async () => {
  server = await startServer();
  session = sessionWith(server);
  ({ call, post } = session);
});
afterAll(() => server.close());

async function expectRefusal(response: Response, status: number, errorType: string) {
  expect([response.status, response.headers.get('x-service-error-type')]).toEqual([status, errorType]);
  expect(response.headers.get('x-service-request-id')).toBeTruthy();
  const body = await response.json();
  if (status !== 422) expect(body.error_type).toBe(errorType);
}

describe('the catalog', () => {
  it('lists each model once, over short and empty pages', async () => {
    const ids: string[] = [];
    const sizes: number[] = [];
    let cursor = '';
    for (;;) {
      const page = await (await call(`/v2/models?limit=3${cursor}`)).json();
      ids.push(...page.data.map((entry: { id: string }) => entry.id));
      sizes.push(page.data.length);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(new Set(ids).size).toBe(31);
    expect(ids).toHaveLength(31);
    expect(Math.min(...sizes)).toBe(0);
  });

  it('refuses a malformed cursor and clamps the limit', async () => {
    await expectRefusal(await call('/v2/models?cursor=nonsense'), 400, 'invalid_input');
    expect((await (await call('/v2/models?limit=1000')).json()).limit).toBe(100);
    expect((await (await call('/v2/models?limit=-1')).json()).limit).toBe(20);
  });

  it('answers 304 to the tag of a schema document', async () => {
    const first = await call(`${still}/openapi.json`);
    const tag = first.headers.get('etag') ?? '';
    expect((await first.json()).openapi).toBe('3.0.3');
    const headers = { 'if-none-match': tag };
    const second = await call(`${still}/openapi.json`, 'main', { headers });
    expect([second.status, second.headers.get('etag')]).toEqual([304, tag]);
    expect((await call(`${still}/openapi.json`, 'main', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});

describe('credentials', () => {
  it('come as key or token, the key first', async () => {
    const { apiKey, token } = server.accounts.router.main;
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${server.routerUrl}/v2/models`, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${apiKey}` })).toBe(200);
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({ authorization: `Bearer ${token}x` })).toBe(401);
    expect(await status({ authorization: `Bearer ${token}`, 'x-api-key': 'wrong' })).toBe(401);
  });

  it('decide what an account may do', async () => {
    const input = { prompt: 'a harbour' };
    await expectRefusal(await call('/v2/models', 'withoutAccess'), 403, 'forbidden');
    await expectRefusal(await call('/v2/models', 'notEnabled'), 403, 'not_enabled');
    await expectRefusal(await call('/v2/models', 'outage'), 503, 'service_unavailable');
    await expectRefusal(await call(`${still}/openapi.json`, 'broken'), 500, 'internal_error');
    await expectRefusal(await call('/v2/models/private-provider/inner-circle', 'neighbour'), 403, 'forbidden');
    await expectRefusal(await post(`${still}/requests`, input, 'withoutCredits'), 402, 'insufficient_credits');
    await expectRefusal(await post(still, input, 'rateLimited'), 429, 'rate_limited');
    const capped = await post(still, input, 'spendCapped');
    expect(capped.headers.get('x-committed-spend-remaining')).toBe('0');
    await expectRefusal(capped, 429, 'concurrency_limit_exceeded');
  });
});

describe('a synchronous run', () => {
  it('validates its input field by field', async () => {
    const response = await post(still, { count: 9, regions: [{ label: 1 }], what: 1 });
    expect(response.headers.get('x-service-error-type')).toBe('invalid_input');
    const places = (await response.json()).detail.map((one: { loc: unknown[] }) => one.loc.join('.'));
    expect(places.sort()).toEqual(['count', 'prompt', 'regions.0.label', 'regions.0.weight', 'what']);
    await expectRefusal(await post(still, '[]'), 400, 'invalid_input');
    await expectRefusal(await post(still, { prompt: 'x'.repeat(2 ** 20) }), 413, 'invalid_input');
  });

  it('is replayed under its key, for the workspace only', async () => {
    const input = { prompt: 'keyed' };
    const first = await post(still, input, 'main', keyed('k-1'));
    const again = await post(still, input, 'colleague', keyed('k-1'));
    const other = await post(still, input, 'neighbour', keyed('k-1'));
    expect([first, again, other].map((one) => one.headers.get('idempotent-replayed'))).toEqual([null, 'true', null]);
    expect(await again.text()).toBe(await first.text());
    await expectRefusal(await post(still, { prompt: 'new' }, 'main', keyed('k-1')), 409, 'invalid_input');
    await expectRefusal(await post(`${still}?x=1`, input, 'main', keyed('k-1')), 409, 'invalid_input');
    await expectRefusal(await post(`${still}/requests`, input, 'main', keyed('k-1')), 409, 'invalid_input');
  });

  it('answers 409 while the first call with its key runs', async () => {
    const input = { outcome: 'success', delay_ms: 250 };
    const answers = await Promise.all([1, 2].map(() => post(obedient, input, 'main', keyed('k-2'))));
    expect(answers.map((one) => one.status).sort()).toEqual([200, 409]);
    expect(answers.find((one) => one.status === 409)?.headers.get('retry-after')).toBe('1');
  });

  it('is collected under its key after a 504', async () => {
    const long = '/v2/models/video-provider/clip-2-long';
    const first = await post(long, { scene: 'a pier' }, 'main', keyed('k-3'));
    expect(first.headers.get('retry-after')).toBe('1');
    await expectRefusal(first, 504, 'deadline_exceeded');
    await server.advance(2000);
    const second = await post(long, { scene: 'a pier' }, 'main', keyed('k-3'));
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(server.ledger().billed.filter((one) => one.model.endsWith('clip-2-long'))).toHaveLength(1);
  });

  it('falls back to another provider and says what was dropped', async () => {
    const flaky = '/v2/models/image-provider/flaky-still?fallback_provider=second-image-provider';
    const response = await post(flaky, { prompt: 'fog', style: 'ink' });
    expect(response.headers.get('x-service-router-fallback-provider')).toBe('second-image-provider');
    const dropped = JSON.parse(JSON.parse(response.headers.get('x-service-router-dropped-params') ?? ''));
    expect(dropped).toHaveLength(1);
    expect((await response.json()).pictures).toHaveLength(1);
    const strict = `${still}?model_provider=second-image-provider&strict_mode=true`;
    expect(await (await post(strict, { text_prompt: 'fog' })).json()).toHaveProperty('provider_job');
  });

  it('reaches the error categories of providers', async () => {
    await expectRefusal(await post(still, { prompt: '[disallowed]' }), 400, 'content_policy_violation');
    await expectRefusal(await post(obedient, { outcome: 'provider_error' }), 502, 'provider_error');
    await expectRefusal(await post(obedient, { outcome: 'timeout' }), 504, 'provider_timeout');
    await expectRefusal(await post(obedient, { outcome: 'refused_input' }), 422, 'invalid_input');
  });
});

describe('a queued run', () => {
  it('is submitted, watched and collected', async () => {
    const voice = '/v2/models/speech-provider/voice_en';
    const submitted = await post(`${voice}/requests`, { text: 'hello' }, 'main', keyed('q-1'));
    const handle = await submitted.json();
    expect([submitted.status, handle.status, handle.queue_position]).toEqual([201, 'PENDING', 0]);
    expect(await session.completed(handle.status_url)).not.toHaveProperty('error_type');
    const collected = Buffer.from(await (await call(handle.response_url)).arrayBuffer());
    const direct = Buffer.from(await (await post(voice, { text: 'hello' })).arrayBuffer());
    expect(collected.equals(direct)).toBe(true);
    const replay = await post(`${voice}/requests`, { text: 'hello' }, 'main', keyed('q-1'));
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect((await replay.json()).request_id).toBe(handle.request_id);
    const cancel = await call(handle.cancel_url, 'main', { method: 'PUT' });
    expect([cancel.status, (await cancel.json()).status]).toEqual([409, 'ALREADY_COMPLETED']);
    await expectRefusal(await call(handle.response_url, 'neighbour'), 404, 'request_not_found');
  });

  it('is withdrawn, or waits too long', async () => {
    const overbooked = '/v2/models/video-provider/overbooked/requests';
    const first = await (await post(overbooked, { scene: 'one' })).json();
    const second = await (await post(overbooked, { scene: 'two' })).json();
    expect(second.queue_position).toBe(1);
    const pending = await call(second.response_url);
    expect([pending.status, pending.headers.get('retry-after')]).toEqual([202, '1']);
    expect((await call(first.cancel_url, 'main', { method: 'PUT' })).status).toBe(202);
    expect((await session.completed(first.status_url)).error_type).toBe('cancelled');
    await expectRefusal(await call(first.response_url), 410, 'cancelled');
    await server.advance(6000);
    expect((await session.completed(second.status_url)).error_type).toBe('queue_timeout');
  });
});

describe('the workflow behind a job', () => {
  it('is saved or executed, and not for others', async () => {
    const read = async (id: string, who: keyof Started['accounts']['workflow'] = 'main', rest = '/workflow') => {
      const response = await session.workflow(encodeURIComponent(id) + rest, who);
      const body = JSON.parse(await response.text());
      return response.status === 200 ? body.format : `${response.status} ${body.error.code}`;
    };
    const { jobs } = server;
    expect(await read(jobs.saved)).toBe('save');
    expect(await read(jobs.submitted)).toBe('api');
    expect(await read(jobs.awkwardId)).toBe('api');
    expect(await read(jobs.unreadableVersion)).toBe('api');
    for (const id of [jobs.foreign, jobs.expired, jobs.deleted, 'no-such-job']) {
      expect(await read(id)).toBe('404 not_found');
      expect(await read(id, 'main', '')).toBe('404 not_found');
    }
    expect(await read(jobs.damaged)).toBe('500 upstream_error');
    expect(await read(jobs.saved, 'forbidden')).toBe('403 forbidden');
    expect(await read('no-such-job', 'rateLimited')).toBe('429 rate_limited');
  });
});

it('has 32 bugs, at most three for an operation', () => {
  const counts = Object.values(Object.groupBy(bugs, (bug) => bug.operation)).map((group) => group?.length ?? 0);
  expect(new Set(bugs.map((bug) => bug.id)).size).toBe(32);
  expect(Math.max(...counts)).toBe(3);
});
