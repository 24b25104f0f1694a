import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../../specs/src/index.ts';
import { manualClock } from '../../clock.ts';
import { type Reply, requestId, type ServerRequest } from '../../http/messages.ts';
import { changeByCount, drop, onReply, onRequest, read, set, withText } from './changes.ts';
import { type Change, createOperationFinder, type FaultContext, fault, group, only, type Selector } from './fault.ts';
import { withHeaders, withQuery } from './requests.ts';

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const { brand } = specs.settings;
const findOperation = createOperationFinder(specs);
const context: FaultContext = { brand, clock: manualClock(), specs, seed: 1, findOperation };

const run: ServerRequest = {
  method: 'POST',
  origin: 'http://sandbox.test',
  target: '/v2/models/a/b',
  headers: { 'idempotency-key': 'k' },
  body: new TextEncoder().encode('kept'),
  signal: new AbortController().signal,
};
const json = { 'Content-Type': 'application/json' };
const plain: Reply = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'as it was' };

/** Returns the reply to a run after a fault in a group with this selector has changed it. */
function ask(where: Selector, change: Change, reply: Reply, request: ServerRequest = run): Promise<Reply> {
  const [row] = group({ id: 'some', ...where }, [fault('row', [], change)]);
  return row === undefined ? Promise.resolve(reply) : row.middleware(async () => reply, context)(request);
}

test('a change of a JSON member leaves other bodies unchanged', async () => {
  const binary: Reply = { status: 200, headers: { 'Content-Type': 'audio/wav' }, body: new Uint8Array([0, 255]) };
  expect(await ask({ on: ['runModel'] }, set.member('a', 1), binary)).toBe(binary);
  const cut: Reply = { status: 200, headers: json, body: '{"cut' };
  expect(await ask({ on: ['runModel'] }, set.member('a', 1), cut)).toBe(cut);
});

test.each<[string, Selector]>([
  ['a different operation', { on: ['readModel'] }],
  ['a different status', { on: ['runModel'], status: 404 }],
  ['a status that is not in the list', { on: ['runModel'], status: [400, 404] }],
  ['a call that the selector does not match', { on: ['runModel'], when: () => false }],
])('a fault leaves %s unchanged', async (_, where) => {
  expect(await ask(where, set.status(500), plain)).toBe(plain);
});

test('a fault leaves admin routes unchanged', async () => {
  const request = { ...run, target: '/__sandbox/clock' };
  expect(await ask({ on: ['runModel'] }, set.status(500), plain, request)).toBe(plain);
});

test('only() restricts one change to some calls of its group', async () => {
  const narrow = only({ when: ({ headers }) => headers['idempotency-key'] === undefined }, set.status(500));
  expect((await ask({ on: ['runModel'] }, narrow, plain)).status).toBe(200);
  expect((await ask({ on: ['runModel'] }, narrow, plain, { ...run, headers: {} })).status).toBe(500);
});

test('changes to headers ignore the letter case of names', async () => {
  const reply: Reply = { status: 200, headers: { 'x-service-request-id': '1', 'retry-after': '2' }, body: '' };
  expect((await ask({ on: ['runModel'] }, drop.header(requestId), reply)).headers).toEqual({ 'retry-after': '2' });
  const { headers } = await ask({ on: ['runModel'] }, set.header('Retry-After', '9'), reply);
  expect(headers).toEqual({ 'x-service-request-id': '1', 'Retry-After': '9' });
});

test('set.category() changes the category in header and body', async () => {
  const reply: Reply = { status: 403, headers: json, body: '{"detail":"No.","error_type":"forbidden"}' };
  const changed = await ask({ on: ['runModel'] }, set.category('not_enabled'), reply);
  expect(changed.headers['X-Service-Error-Type']).toBe('not_enabled');
  expect(read.object(changed)).toEqual({ detail: 'No.', error_type: 'not_enabled' });
});

test('changeByCount() counts replies by key, and leaves replies without a key unchanged', async () => {
  const change = changeByCount(
    (_, { request }) => request.headers['idempotency-key'],
    (reply, times) => withText(reply, `seen ${times}`),
  );
  const [row] = group({ id: 'some', on: ['runModel'] }, [fault('row', [], change)]);
  const app = row?.middleware(async () => plain, context);
  const requests = [run, run, { ...run, headers: {} }];
  const bodies = [];
  for (const request of requests) bodies.push((await app?.(request))?.body);
  expect(bodies).toEqual(['seen 1', 'seen 2', 'as it was']);
});

test('changes to query and headers keep the rest of a request', async () => {
  const seen: ServerRequest[] = [];
  const change = onRequest((request) =>
    withHeaders(withQuery(request, { strict_mode: 'true' }), { 'idempotency-key': undefined }),
  );
  const [row] = group({ id: 'some', on: ['runModel'] }, [fault('row', [], change)]);
  await row?.middleware(async (request) => {
    seen.push(request);
    return plain;
  }, context)(run);
  expect(seen).toEqual([{ ...run, target: '/v2/models/a/b?strict_mode=true', headers: {} }]);
});

test('a group gives its faults their ids and requirements', () => {
  const change = onReply((reply) => reply);
  const rows = group({ id: 'run.result', on: ['runModel'] }, [
    fault('has-no-body', ['MR-RUN-02'], change, { also: ['MR-RUN-10', 'MR-RUN-17'] }),
    fault('late', ['MR-RUN-03'], change),
  ]);
  expect(rows).toMatchObject([
    {
      id: 'run.result.has-no-body',
      requirements: ['MR-RUN-02'],
      alsoViolates: ['MR-RUN-10', 'MR-RUN-17'],
    },
    { id: 'run.result.late' },
  ]);
});
