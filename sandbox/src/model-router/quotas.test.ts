import { expect, test } from 'vitest';
import { createTestSandbox, type Reply } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from '../http/authentication.ts';

const { router } = sandboxCredentials;
const model = '/v2/models/sandbox/outcomes';
const call = { json: {} };
const readOutcome = (reply: Reply) => [reply.status, reply.json['error_type']];
const readSpend = (reply: Reply) =>
  ['limit', 'current', 'remaining'].map((name) => reply.headers.get(`x-committed-spend-${name}`));

// MR-LIM-08
test('the sandbox limits calls in progress per workspace, and counts queued requests from their admission', async () => {
  const sandbox = createTestSandbox({ limits: { inFlight: 2 } });
  for (const as of [router.main, router.colleague]) {
    expect((await sandbox.call('POST', `${model}/requests`, { ...call, as })).status).toBe(201);
  }
  const refused = await sandbox.call('POST', model, call);
  expect(readOutcome(refused)).toEqual([429, 'concurrency_limit_exceeded']);
  expect(readSpend(refused)).toEqual(['10000', '10', '9990']);
  const submitted = await sandbox.call('POST', `${model}/requests`, call);
  expect(readOutcome(submitted)).toEqual([429, 'concurrency_limit_exceeded']);
  expect((await sandbox.call('POST', model, { ...call, as: router.neighbour })).status).toBe(200);
  sandbox.clock.advance(400);
  const free = await sandbox.call('POST', model, call);
  expect([free.status, readSpend(free)]).toEqual([200, ['10000', '0', '10000']]);
});

// MR-LIM-09
test('the sandbox limits calls per window, and Retry-After is the time until the next window', async () => {
  const sandbox = createTestSandbox({ limits: { callsPerWindow: 2, windowMs: 10_000 } });
  for (const path of [model, `${model}/requests`])
    expect((await sandbox.call('POST', path, call)).status).toBeLessThan(300);
  sandbox.clock.advance('4s');
  const refused = await sandbox.call('POST', model, call);
  expect([...readOutcome(refused), refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '6']);
  expect(readSpend(refused)).not.toContain(null);
  expect((await sandbox.call('POST', model, { ...call, as: router.solo })).status).toBe(200);
  sandbox.clock.advance('6s');
  expect((await sandbox.call('POST', model, call)).status).toBe(200);
});

test('the sandbox limits the committed spend of a workspace', async () => {
  const refused = await createTestSandbox({ limits: { spendCents: 1 } }).call('POST', model, call);
  expect([...readOutcome(refused), readSpend(refused)[0]]).toEqual([429, 'concurrency_limit_exceeded', '1']); // MR-LIM-10
});
