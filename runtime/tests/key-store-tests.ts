import { expect } from 'vitest';
import { hashText, type KeyStore, type StoredCall } from '../src/router/key-store.ts';

const now = Date.UTC(2026, 0, 1); // the time of the manual clock
const addresses = { requestId: 'r', statusUrl: 'https://a/s', responseUrl: 'https://a/r', cancelUrl: 'https://a/c' };

function call(idempotencyKey: string, more: Partial<StoredCall> = {}): StoredCall {
  const url = 'https://router.example/a';
  const request = { operation: 'run', model: 'a/b', url, body: '{"prompt":"a"}' } as const;
  return { idempotencyKey, ...request, owner: 'a', firstSentAt: now, isExplicit: false, ...more };
}
const named = (key: string, more: Partial<StoredCall> = {}): StoredCall => call(key, { isExplicit: true, ...more });
const keysOf = async (store: KeyStore): Promise<string[]> => (await store.pending()).map((one) => one.idempotencyKey);

const checks: Readonly<Record<string, (store: KeyStore) => Promise<void>>> = {
  'lists no call that this program works on': async (store) => {
    expect(await store.begin(call('k1'))).toEqual({ stored: call('k1'), isNew: true });
    expect(await store.pending()).toEqual([]);
    expect(await store.take('k1')).toBeUndefined();
    await store.release('k1');
    expect(await store.pending()).toMatchObject([{ ...call('k1'), isHeld: false }]);
  },
  'lists calls in the order in which they were sent': async (store) => {
    const ages = { k1: 2000, k2: 3000, k3: 1000 };
    for (const [key, age] of Object.entries(ages)) {
      await store.begin(call(key, { firstSentAt: now - age }));
      await store.release(key);
    }
    expect(await keysOf(store)).toEqual(['k2', 'k1', 'k3']);
  },
  'records an equal call with another key as a new call': async (store) => {
    await store.begin(call('k1'));
    await store.release('k1');
    expect(await store.begin(call('k2'))).toMatchObject({ isNew: true, stored: { idempotencyKey: 'k2' } });
  },
  'returns the stored call for a key that is used again, during the call and after it': async (store) => {
    await store.begin(named('k1'));
    expect(await store.begin(named('k1'))).toMatchObject({ isNew: false, stored: named('k1') });
    await store.release('k1');
    expect(await store.pending()).toEqual([]); // The first call still works on it.
    await store.release('k1');
    expect(await keysOf(store)).toEqual(['k1']);
    expect(await store.begin(named('k1'))).toMatchObject({ isNew: false });
    expect(await store.pending()).toEqual([]);
  },
  'does not change a stored call when a different call uses its key': async (store) => {
    await store.begin(named('k1'));
    for (const other of [{ body: '{}' }, { owner: 'b' }, { url: 'https://a/b' }, { operation: 'submit' }] as const)
      expect(await store.begin(named('k1', other))).toEqual({ stored: named('k1'), isNew: false });
    expect(await store.pending()).toEqual([]);
    expect(await store.take('k1')).toBeUndefined();
  },
  'keeps an explicit key after its result, without the body': async (store) => {
    await store.begin(named('k1'));
    await store.finish('k1');
    expect(await store.pending()).toEqual([]);
    const { stored, isNew } = await store.begin(named('k1', { body: '{"prompt":"other"}' }));
    expect([isNew, stored.isDone, stored.body, stored.bodyHash]).toEqual([
      false,
      true,
      undefined,
      hashText('{"prompt":"a"}'),
    ]);
    expect(await store.begin(named('k1', { firstSentAt: now + 5 }))).toMatchObject({
      isNew: false,
      stored: { isDone: true, firstSentAt: now },
    });
    await store.release('k1');
    expect(await store.pending()).toEqual([]);
    await store.forget('k1');
    expect((await store.begin(named('k1'))).isNew).toBe(true);
  },
  'keeps the key of a pending call after its result if a caller has repeated the call with that key': async (store) => {
    await store.begin(call('k1'));
    await store.release('k1');
    expect((await store.begin(named('k1'))).isNew).toBe(false);
    await store.finish('k1');
    expect(await store.begin(named('k1'))).toMatchObject({ isNew: false, stored: { isDone: true } });
  },
  'keeps the URLs of an admitted request instead of its body': async (store) => {
    await store.begin(call('k1'));
    await store.admit('k1', addresses);
    await store.release('k1');
    const taken = await store.take('k1');
    expect(taken).toMatchObject({ idempotencyKey: 'k1', queued: addresses });
    expect(taken).not.toHaveProperty('body');
    await store.release('k1');
    expect(await keysOf(store)).toEqual(['k1']);
    await store.admit('no such key', addresses);
  },
  'forgets a finished call': async (store) => {
    await store.begin(call('k1'));
    await store.finish('k1');
    await store.finish('k1');
    expect(await store.take('k1')).toBeUndefined();
    await store.begin(call('k2'));
    await store.admit('k2', addresses);
    await store.release('k2');
    expect(await keysOf(store)).toEqual(['k2']);
    await store.finish('k2');
    expect(await store.pending()).toEqual([]);
  },
  'removes the record of calls that started no run, after the last of them': async (store) => {
    await store.begin(named('k1'));
    await store.begin(named('k1'));
    await store.discard('k1');
    expect(await store.begin(named('k1'))).toMatchObject({ isNew: false });
    await store.discard('k1');
    await store.discard('k1');
    expect((await store.begin(named('k1'))).isNew).toBe(true);
  },
  'keeps the record of a call that started no run if another call with its key may have started one': async (store) => {
    for (const [key, end] of [
      ['k1', 'release'],
      ['k2', 'finish'],
    ] as const) {
      await store.begin(named(key));
      await store.begin(named(key));
      await store[end](key);
      await store.discard(key);
      await store.begin(named(key)); // a later call
      await store.discard(key);
    }
    expect(await keysOf(store)).toEqual(['k1']);
    for (const key of ['k1', 'k2']) expect((await store.begin(named(key))).isNew).toBe(false);
  },
  'gives a call to only one of many callers that take it': async (store) => {
    await store.begin(call('k1'));
    await store.release('k1');
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.take('k1')));
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
  },
  'records only one of many calls with the same new key': async (store) => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => store.begin(named('k1'))));
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
  },
  'keeps keys and bodies with any characters': async (store) => {
    const body = JSON.stringify({ prompt: `Hafen 港 🚢 \u0000 ' "\n`.repeat(10_000) });
    for (const key of ['a/../b', "'; DROP TABLE keys; --", '%_*', 'k'.repeat(255)]) {
      await store.begin(call(key, { body }));
      await store.release(key);
      expect(await store.take(key)).toMatchObject(call(key, { body }));
      await store.release(key);
    }
    expect(await store.pending()).toHaveLength(4);
  },
};

/** Checks that every key store has to pass. */
export const keyStoreTests = Object.entries(checks).map(([name, check]) => ({
  name,
  run: async (create: () => KeyStore | Promise<KeyStore>) => check(await create()),
}));
