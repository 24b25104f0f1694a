import { expect, test } from 'vitest';
import { createTestSandbox, type Reply, type TestSandbox } from '../../tests/test-sandbox.ts';
import type { SandboxOptions } from '../options.ts';

const requests = '/v2/models/sandbox/outcomes/requests';

async function submit(json: object = {}, options: Partial<SandboxOptions> = {}) {
  const sandbox = createTestSandbox(options);
  const reply = await sandbox.call('POST', requests, { json });
  expect(reply.status, reply.text).toBe(201);
  const path = `${requests}/${String(reply.json['request_id'])}`;
  return {
    sandbox,
    path,
    status: () => sandbox.call('GET', `${path}/status`),
    collect: () => sandbox.call('GET', path),
    cancel: () => sandbox.call('PUT', `${path}/cancel`),
  };
}
const readState = ({ json }: Reply) => [json['status'], json['error_type']];
const readOutcome = ({ status, json }: Reply) => [status, json['error_type']];
const readBill = (sandbox: TestSandbox) => [sandbox.ledger().dispatches, sandbox.ledger().billed];

test('the duration of a queued run begins at its dispatch', async () => {
  const request = await submit({ delay_ms: 60_000 });
  request.sandbox.clock.advance(60_149);
  expect(readState(await request.status())).toEqual(['IN_PROGRESS', undefined]);
  request.sandbox.clock.advance(1);
  expect((await request.collect()).status).toBe(200);
});

test('a request that waits in the queue for too long times out permanently, and is not billed', async () => {
  const request = await submit({}, { timings: { waitingMs: 3_600_000 } });
  request.sandbox.clock.advance('14m');
  expect(readState(await request.status())).toEqual(['IN_QUEUE', undefined]);
  request.sandbox.clock.advance('1m');
  expect(readState(await request.status())).toEqual(['COMPLETED', 'queue_timeout']);
  expect(readOutcome(await request.collect())).toEqual([410, 'queue_timeout']);
  expect((await request.cancel()).status).toBe(409);
  request.sandbox.clock.advance('2h');
  expect(readState(await request.status())).toEqual(['COMPLETED', 'queue_timeout']);
  expect(readBill(request.sandbox)).toEqual([0, 0]);
  const short = await submit({}, { timings: { waitingMs: 9_000, queueTimeoutMs: 1_000 } }); // MR-LIM-12
  short.sandbox.clock.advance(1_000);
  expect(readState(await short.status())).toEqual(['COMPLETED', 'queue_timeout']);
});

test('a cancellation takes effect when it reaches the provider, and collecting returns 409 until then', async () => {
  const request = await submit({ delay_ms: 10_000 }, { timings: { cancellingMs: 2000 } });
  request.sandbox.clock.advance(150);
  for (let turn = 0; turn < 2; turn += 1) expect((await request.cancel()).status).toBe(202);
  expect(readState(await request.status())).toEqual(['IN_PROGRESS', undefined]);
  expect(readOutcome(await request.collect())).toEqual([409, 'invalid_input']);
  request.sandbox.clock.advance('2s');
  expect(readState(await request.status())).toEqual(['COMPLETED', 'cancelled']);
  request.sandbox.clock.advance('1m');
  expect(readBill(request.sandbox)).toEqual([1, 0]);
});
