import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listModelsPage } from '../src/catalog/index.ts';
import { listPending, resume } from '../src/resume/index.ts';
import type { ModelRouterOptions } from '../src/router/options.ts';
import { safe } from '../src/router/router-error.ts';
import { withOptions } from '../src/with-options/index.ts';
import { catchFailure, createClient, createModelRouter, id, input, secret, serveScripts } from './router-under-test.ts';
import { routerError } from './scripted-server.ts';

const server = serveScripts();
const client = (options: Partial<ModelRouterOptions> = {}) => createClient(server(), options);

describe('withOptions', () => {
  it('withOptions changes the given options, and leaves the original client unchanged', async () => {
    const { router } = client({ headers: { 'x-app': 'one' }, maxAttempts: 1 });
    server().script({ body: { images: [] } });
    await withOptions(router, { headers: { 'x-app': 'two' } }).run(id, input);
    await router.run(id, input);
    expect(server().seen.map(({ headers }) => headers['x-app'])).toEqual(['two', 'one']);
    server().script(routerError(503, 'service_unavailable'));
    expect(await catchFailure(withOptions(router, { maxAttempts: 3 }).run(id, input))).toMatchObject({ attempts: 3 });
    expect(await catchFailure(router.run(id, input))).toMatchObject({ attempts: 1 });
  });

  it('a client from withOptions shares pending calls with the original client, and either may resume them', async () => {
    const { router } = client({ token: () => 'a-token-of-now' });
    server().script('reset', { body: { images: ['a'] } });
    const other = withOptions(router, { maxAttempts: 1 });
    await catchFailure(other.run(id, input, { idempotencyKey: 'order-1' }));
    const [call] = await listPending(router);
    expect(call).toMatchObject({ idempotencyKey: 'order-1', isOwn: true });
    if (call === undefined) return;
    expect((await resume(router, call)).data).toEqual({ images: ['a'] });
    expect(server().seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-1', 'order-1']);
  });

  it('a client from withOptions shares the limits with the original client', async () => {
    const { router } = client({ limits: { requestsInFlight: 1 } });
    let [inFlight, most] = [0, 0];
    server().script(async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((later) => setTimeout(later, 20));
      inFlight -= 1;
      return { body: { images: [] } };
    });
    await Promise.all([router.run(id, input), withOptions(router, { maxAttempts: 2 }).run(id, input)]);
    expect(most).toBe(1);
  });

  it("calls of a client from withOptions with a different credential don't belong to the original client", async () => {
    const { router } = client();
    server().script('reset', { body: { images: [] } });
    await catchFailure(router.run(id, input, { maxAttempts: 1, idempotencyKey: 'order-2' }));
    const other = withOptions(router, { apiKey: 'another-secret-key' });
    expect(await listPending(other)).toMatchObject([{ idempotencyKey: 'order-2', isOwn: false }]);
    await other.run(id, input);
    expect(server().seen.map(({ headers }) => headers['x-api-key'])).toEqual([secret, 'another-secret-key']);
    await withOptions(router, { token: 'a-token' }).run(id, input);
    expect(server().seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer a-token' });
    expect(server().seen.at(-1)?.headers).not.toHaveProperty('x-api-key');
  });

  it('withOptions does not inherit the scope if the credential changes', async () => {
    const { router } = client({ credentialScope: 'workspace-a' });
    server().script('reset', { body: { images: [] } });
    await catchFailure(router.run(id, input, { maxAttempts: 1, idempotencyKey: 'order-3' }));
    const other = withOptions(router, { apiKey: 'another-secret-key' });
    expect(await listPending(other)).toMatchObject([{ isOwn: false }]);
    expect(await catchFailure(other.run(id, input, { idempotencyKey: 'order-3' }))).toMatchObject({ kind: 'local' });
    const renewed = withOptions(router, { apiKey: 'another-secret-key', credentialScope: 'workspace-a' });
    expect(await listPending(renewed)).toMatchObject([{ isOwn: true }]);
    expect(server().seen).toHaveLength(1);
  });

  it('withOptions keeps middleware and observers, and adds new ones', async () => {
    const events: string[] = [];
    const { router } = client({ observers: { onEnd: () => events.push('first') } });
    router.use((request, next) => next({ ...request, headers: { ...request.headers, 'x-trace': '1' } }));
    server().script({ body: { images: [] } });
    await withOptions(router, { observers: { onEnd: () => events.push('second') } }).run(id, input);
    expect(events).toEqual(['first', 'second']);
    expect(server().seen[0]?.headers).toMatchObject({ 'x-trace': '1' });
    await router.run(id, input);
    expect(events).toEqual(['first', 'second', 'first']);
  });
});

describe('a page of the catalog', () => {
  const entry = { id: 'a/b', billing: { charges_on_policy_rejection: 'no' } };

  it('a page of the catalog contains the cursor of the next page', async () => {
    const { router } = client();
    server().script(
      { body: { data: [entry], has_more: true, next_cursor: 'c 2' } },
      { body: { data: [], has_more: false, next_cursor: null } },
    );
    const first = await listModelsPage(router, { limit: 1 });
    expect(first).toMatchObject({ models: [{ id: 'a/b', chargesOnPolicyRejection: 'no' }], nextCursor: 'c 2' });
    const second = await safe(listModelsPage(router, { limit: 1, cursor: first.nextCursor }));
    expect(second).toEqual({ ok: true, models: [], nextCursor: undefined });
    expect(server().seen.map(({ url }) => url)).toEqual(['/v2/models?limit=1', '/v2/models?limit=1&cursor=c+2']);
  });

  it('a page of the catalog is an error if its cursor leads back to it', async () => {
    server().script({ body: { data: [entry], has_more: true, next_cursor: 'same' } });
    const error = await catchFailure(listModelsPage(client().router, { cursor: 'same' }));
    expect(error).toMatchObject({ kind: 'decode', operation: 'listModels' });
  });
});

describe('the debug log', () => {
  it('the debug log has a line for each attempt, wait and end, and no credential', async () => {
    const lines: string[] = [];
    const { router } = client({ debug: (line) => lines.push(line) });
    server().script(routerError(503, 'service_unavailable', { 'retry-after': '2' }), { body: { images: [] } });
    await router.run(id, input);
    server().script({ status: 401, body: { detail: `The key ${secret} is wrong.`, error_type: 'unauthorized' } });
    await catchFailure(router.run(id, input));
    const at = `POST ${server().url}/v2/models/${id}`;
    expect(lines.map((line) => line.replace(/^(model-router) [\da-f]{8} /, '$1 '))).toEqual([
      `model-router run ${id}: attempt 1: ${at}`,
      `model-router run ${id}: attempt 1: 503 service_unavailable after 0 ms`,
      `model-router run ${id}: waits 2000 ms after 503 service_unavailable`,
      `model-router run ${id}: attempt 2: ${at}`,
      `model-router run ${id}: attempt 2: 200 after 0 ms`,
      `model-router run ${id}: done (2000 ms)`,
      `model-router run ${id}: attempt 1: ${at}`,
      `model-router run ${id}: attempt 1: 401 unauthorized after 0 ms`,
      expect.stringMatching(/: failed: run .*: 401 .*The key \[redacted\] is wrong\. \(0 ms\)$/),
    ]);
    expect(lines.join()).not.toContain(secret);
  });

  it('an environment variable enables the debug log', async () => {
    onTestFinished(() => void [vi.unstubAllEnvs(), vi.restoreAllMocks()]);
    const print = vi.spyOn(console, 'debug').mockReturnValue();
    server().script({ body: { images: [] } });
    vi.stubEnv('MODEL_ROUTER_DEBUG', '1');
    await createModelRouter({ baseUrl: server().url, apiKey: secret }).run(id, input);
    await createModelRouter({ baseUrl: server().url, apiKey: secret, debug: false }).run(id, input);
    vi.stubEnv('MODEL_ROUTER_DEBUG', '0');
    await createModelRouter({ baseUrl: server().url, apiKey: secret }).run(id, input);
    expect(print).toHaveBeenCalledTimes(3);
  });
});
