import { expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../../specs/src/index.ts';
import { manualClock } from '../../clock.ts';
import type { Reply, ServerRequest } from '../../http/messages.ts';
import { set } from './changes.ts';
import { type Change, createOperationFinder, type FaultContext, fault, group, type Selector } from './fault.ts';

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
function applyFault(where: Selector, change: Change, reply: Reply, request: ServerRequest = run): Promise<Reply> {
  const [row] = group({ id: 'some', ...where }, [fault('row', [], change)]);
  return row === undefined ? Promise.resolve(reply) : row.middleware(async () => reply, context)(request);
}

test('a fault that sets a JSON member leaves binary and truncated bodies unchanged', async () => {
  const binary: Reply = { status: 200, headers: { 'Content-Type': 'audio/wav' }, body: new Uint8Array([0, 255]) };
  expect(await applyFault({ on: ['runModel'] }, set.member('a', 1), binary)).toBe(binary);
  const cut: Reply = { status: 200, headers: json, body: '{"cut' };
  expect(await applyFault({ on: ['runModel'] }, set.member('a', 1), cut)).toBe(cut);
});

test.each<[string, Selector]>([
  ['a reply of a different operation', { on: ['readModel'] }],
  ['a reply with a different status', { on: ['runModel'], status: 404 }],
  ['a reply with a status that its list lacks', { on: ['runModel'], status: [400, 404] }],
  ['a reply to a call that its selector does not match', { on: ['runModel'], when: () => false }],
])('a fault leaves %s unchanged', async (_, where) => {
  expect(await applyFault(where, set.status(500), plain)).toBe(plain);
});

test('a fault leaves admin routes unchanged', async () => {
  const request = { ...run, target: '/__sandbox/clock' };
  expect(await applyFault({ on: ['runModel'] }, set.status(500), plain, request)).toBe(plain);
});
