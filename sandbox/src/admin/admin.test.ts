import { expect, test } from 'vitest';
import { createTestSandbox, type TestSandbox } from '../../tests/test-sandbox.ts';
import { listFaults } from '../deviations.ts';

const model = '/v2/models/sandbox/outcomes';
const withoutCredential = { as: undefined };

test('GET /__sandbox/ lists the admin routes without requiring a credential', async () => {
  const reply = await createTestSandbox().call('GET', '/__sandbox/', withoutCredential);
  const routes: { route: string; description: string }[] = JSON.parse(reply.text);
  expect(routes.map(({ route }) => route)).toContain('POST /__sandbox/clock/advance');
  for (const { route, description } of routes) {
    expect(route).toMatch(/^(GET|PUT|POST|DELETE) \/__sandbox\//);
    expect(description).toMatch(/\w/);
  }
});

test('an admin route advances a manual clock, which a reset does not change, and rejects an invalid duration', async () => {
  const sandbox = createTestSandbox();
  const before = sandbox.clock.now();
  const { json } = await sandbox.call('POST', '/__sandbox/clock/advance', {
    ...withoutCredential,
    json: { by: '25h' },
  });
  expect(json['now']).toBe(before + 25 * 3_600_000);
  expect((await sandbox.call('POST', '/__sandbox/reset', withoutCredential)).json['now']).toBe(json['now']);
  for (const by of [{ toString: 1, valueOf: 1 }, 'soon', '-5s', null, '']) {
    expect(
      (await sandbox.call('POST', '/__sandbox/clock/advance', { ...withoutCredential, json: { by } })).status,
    ).toBe(400);
  }
});

test('an admin route advances a real clock', async () => {
  const before = Date.now();
  const sandbox = createTestSandbox({ clock: 'real' });
  const { json } = await sandbox.call('POST', '/__sandbox/clock/advance', {
    ...withoutCredential,
    json: { by: '25h' },
  });
  expect(json['now']).toBeGreaterThanOrEqual(before + 25 * 3_600_000);
});

test('the ledger counts dispatched, billed and replayed runs, and lists the newest ones', async () => {
  const sandbox = createTestSandbox();
  const run = () => sandbox.call('POST', model, { json: {}, headers: { 'Idempotency-Key': 'k' } });
  await run();
  await run();
  sandbox.clock.advance('25h');
  await run();
  const { json } = await sandbox.call('GET', '/__sandbox/ledger', withoutCredential);
  expect(json).toMatchObject({
    dispatches: 2,
    billed: 2,
    replays: 1,
    keys: [{ scope: 'workspace:workspace-one', key: 'k', dispatches: 2, billed: 2, replays: 1 }],
  });
  expect((await sandbox.call('GET', '/__sandbox/ledger?runs=1', withoutCredential)).json['runs']).toHaveLength(1);
});

const script = (sandbox: TestSandbox, json: object) =>
  sandbox.call('POST', '/__sandbox/hooks/script', { ...withoutCredential, json });

test('a scripted failure replaces the next reply of its operation, and leaves the idempotency key of a run unused', async () => {
  const sandbox = createTestSandbox();
  const run = () => sandbox.call('POST', model, { json: {}, headers: { 'Idempotency-Key': 'k' } });
  await script(sandbox, { operation: 'runModel', error_type: 'service_unavailable' });
  expect((await script(sandbox, { operation: 'runModel', error_type: 'internal_error' })).json).toEqual({ pending: 2 });
  expect((await sandbox.call('GET', '/v2/models')).status).toBe(200);
  const replies = [await run(), await run(), await run()];
  expect(replies.map(({ status, json }) => [status, json['error_type']])).toEqual([
    [503, 'service_unavailable'],
    [500, 'internal_error'],
    [200, undefined],
  ]);
  expect(replies[0]?.headers.get('x-service-request-id')).toMatch(/./);
  expect(sandbox.ledger()).toMatchObject({ billed: 1, replays: 0 });
});

test('a scripted failure of the workflow API has its envelope, and DELETE removes scripted failures', async () => {
  const sandbox = createTestSandbox();
  const headers = { Authorization: `Bearer ${sandbox.credentials.workflow.main}` };
  const read = () =>
    sandbox.call('GET', `/api/v2/jobs/${sandbox.jobs.save}/workflow`, { ...withoutCredential, headers });
  const failure = { operation: 'readJobWorkflow', code: 'upstream_error' };
  await script(sandbox, failure);
  const { status, json } = await read();
  expect([status, json]).toEqual([500, { error: { code: 'upstream_error', message: expect.any(String) } }]);
  await script(sandbox, failure);
  const removed = await sandbox.call('DELETE', '/__sandbox/hooks/script', withoutCredential);
  expect([removed.json, (await read()).status]).toEqual([{ pending: 0 }, 200]);
});

const resets: { by: string; reset: (sandbox: TestSandbox) => unknown }[] = [
  { by: 'sandbox.reset()', reset: (sandbox) => sandbox.reset() },
  { by: 'POST /__sandbox/reset', reset: (sandbox) => sandbox.call('POST', '/__sandbox/reset', withoutCredential) },
];

test.each(resets)(
  '$by clears runs, keys, settings, scripted failures and behaviours, and keeps the clock',
  async ({ reset }) => {
    const sandbox = createTestSandbox();
    const run = () => sandbox.call('POST', model, { json: {}, headers: { 'Idempotency-Key': 'k' } });
    await run();
    sandbox.clock.advance('1h');
    const now = sandbox.clock.now();
    await script(sandbox, { operation: 'runModel', error_type: 'service_unavailable' });
    await sandbox.call('PUT', '/__sandbox/settings', { ...withoutCredential, json: { limits: { inFlight: 0 } } });
    sandbox.on('sandbox/outcomes', { failureRate: 1 });
    await reset(sandbox);
    expect([sandbox.ledger().dispatches, sandbox.clock.now()]).toEqual([0, now]);
    const again = await run();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(sandbox.ledger().dispatches).toBe(1);
  },
);

test.each(['aborted', 'completed'])(
  'a run that starts before a reset and is %s after the reset is not in the ledger',
  async (end) => {
    const sandbox = createTestSandbox({ timings: { providerMs: 1000 } });
    const abort = new AbortController();
    const held = sandbox.call('POST', model, { json: {}, signal: abort.signal }).catch(() => undefined);
    await expect.poll(() => sandbox.ledger().dispatches).toBe(1);
    sandbox.reset();
    if (end === 'aborted') abort.abort();
    else sandbox.clock.advance(1000);
    await held;
    expect(sandbox.ledger().runs).toEqual([]);
  },
);

test('a rebuild of the catalog expires cursors and changes documents', async () => {
  const sandbox = createTestSandbox();
  const { json } = await sandbox.call('GET', '/v2/models?limit=1');
  const next = `/v2/models?cursor=${json['next_cursor']}`;
  const schema = '/v2/models/image-provider/still-2.1/openapi.json';
  const tag = (await sandbox.call('GET', schema)).headers.get('etag') ?? '';
  const changed = {
    documents: { 'image-provider/still-2.1': { openapi: '3.1.0' }, 'p/new': {} },
    remove: ['sandbox/outcomes'],
  };
  expect(
    (await sandbox.call('POST', '/__sandbox/catalog/rebuild', { ...withoutCredential, json: changed })).status,
  ).toBe(200);
  expect((await sandbox.call('GET', next)).status).toBe(400);
  expect((await sandbox.call('GET', schema, { headers: { 'If-None-Match': tag } })).status).toBe(200);
  expect((await sandbox.call('GET', '/v2/models/p/new')).status).toBe(200);
  expect((await sandbox.call('GET', model)).status).toBe(404);
  const wrong = { documents: { nowhere: {} } };
  expect((await sandbox.call('POST', '/__sandbox/catalog/rebuild', { ...withoutCredential, json: wrong })).status).toBe(
    400,
  );
});

test("PUT /__sandbox/faults enables and disables faults, which don't affect admin routes", async () => {
  const sandbox = createTestSandbox();
  const fault = listFaults()[0]?.id ?? '';
  const put = await sandbox.call('PUT', '/__sandbox/faults', { ...withoutCredential, json: { faults: [fault] } });
  expect(put.json).toEqual({ faults: [fault], variants: [] });
  expect(
    (await sandbox.call('PUT', '/__sandbox/faults', { ...withoutCredential, json: { faults: ['none.such'] } })).status,
  ).toBe(400);
  expect((await sandbox.call('GET', '/__sandbox/faults', withoutCredential)).json).toEqual({
    faults: [fault],
    variants: [],
  });
  expect((await sandbox.call('PUT', '/__sandbox/faults', { ...withoutCredential, json: {} })).json).toEqual({
    faults: [],
    variants: [],
  });
});

test.each([
  [{ timings: { waitingMs: -1 } }],
  [{ limits: { spendCents: null } }],
  [{ limits: { inFlight: 'many' } }],
  [{ unknown: 1 }],
])('PUT /__sandbox/settings rejects %j and changes no setting', async (json) => {
  const sandbox = createTestSandbox();
  const before = await sandbox.call('GET', '/__sandbox/settings', withoutCredential);
  expect((await sandbox.call('PUT', '/__sandbox/settings', { ...withoutCredential, json })).status).toBe(400);
  expect((await sandbox.call('GET', '/__sandbox/settings', withoutCredential)).json).toEqual(before.json);
});

test.each([
  ['GET', '/__sandbox/nowhere', 404, null],
  ['PATCH', '/__sandbox/settings', 405, 'GET, PUT'],
])('%s %s returns %i, because it is not an admin route', async (method, path, status, allowed) => {
  const reply = await createTestSandbox().call(method, path, withoutCredential);
  expect([reply.status, reply.headers.get('allow')]).toEqual([status, allowed]);
});

test('with the option adminRoutes set to false, the sandbox does not serve admin routes', async () => {
  const sandbox = createTestSandbox({ adminRoutes: false });
  expect((await sandbox.call('GET', '/__sandbox/clock', withoutCredential)).status).toBe(401);
});

const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
test.each([
  ['POST', '/catalog/rebuild', `{"documents":{"a/b":${deep}}}`, 'too deeply'],
  ['POST', '/jobs', `{"executed":${deep}}`, 'too deeply'],
  ['POST', '/catalog/rebuild', '{"documents":{"a b/c":{}}}', 'must be a model id'],
  ['POST', '/catalog/rebuild', '{"documents":{"../..":{}}}', 'must be a model id'],
  ['POST', '/catalog/rebuild', '{"documents":{"\\ud800/x":{}}}', 'must be a model id'],
  ['PUT', '/settings', '[]', 'JSON object'],
  ['PUT', '/settings', '{', 'JSON object'],
  ['PUT', '/faults', '{"fault":["catalog.limit.ignored"]}', 'it must be one of faults, variants'],
  ['POST', '/jobs', '{"execute":{}}', 'it must be one of executed'],
  ['POST', '/hooks/script', '{"operation":"*","error_type":"internal_error"}', 'the id of an operation'],
  [
    'POST',
    '/hooks/script',
    '{"operation":"listModels","error_type":"rate_limited"}',
    'internal_error, service_unavailable',
  ],
  [
    'POST',
    '/hooks/script',
    '{"operation":"listModels","code":"upstream_error"}',
    'it must be one of operation, error_type',
  ],
  ['POST', '/hooks/script', '{"operation":"readJobWorkflow"}', 'code must be one of upstream_error'],
  ['POST', '/clock/advance', '{"by":"1h","at":1}', 'it must be one of by'],
  ['POST', '/clock/advance', '{"by":1e300}', 'hundred years'],
  ['GET', '/ledger?runs=-5', undefined, 'integer'],
  ['GET', '/ledger?runs=all', undefined, 'integer'],
])('the admin route %s %s rejects invalid input and returns the reason', async (method, path, body, reason) => {
  const sandbox = createTestSandbox();
  const reply = await sandbox.call(method, `/__sandbox${path}`, {
    ...withoutCredential,
    ...(body === undefined ? {} : { body }),
  });
  expect([reply.status, reply.json]).toEqual([400, { error: expect.stringContaining(reason) }]);
  expect((await sandbox.call('POST', model, { json: {} })).status).toBe(200);
});

test('the sandbox keeps working after its clock was advanced by fractions of a millisecond, or to the latest possible time', async () => {
  const sandbox = createTestSandbox();
  const advance = (by: unknown) =>
    sandbox.call('POST', '/__sandbox/clock/advance', { ...withoutCredential, json: { by } });
  for (const by of [0.5, '0.4ms', ...Array.from({ length: 90 }, () => '36525d')]) await advance(by);
  expect((await advance('36525d')).json).toEqual({ error: expect.stringContaining('9999') });
  expect((await sandbox.call('POST', model, { json: {} })).status).toBe(200);
});
