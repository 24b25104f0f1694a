/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { systemClock } from '../http/clock.js';
function expect(value, wanted) {
    const [found, expected] = [JSON.stringify(value), JSON.stringify(wanted)];
    if (found !== expected)
        throw new Error(`expected ${expected}, and found ${found}`);
}
const checks = {
    'lists no call that this program works on': async (store) => {
        expect(await store.begin(call('k1'), adopt), { stored: call('k1'), isNew: true });
        expect(await store.pending(), []);
        expect(await store.take('k1'), undefined);
        await store.release('k1');
        expect(await store.pending(), [{ ...call('k1'), isHeld: false }]);
    },
    'lists calls in the order in which they were sent': async (store) => {
        for (const [key, age] of [
            ['k1', 2000],
            ['k2', 3000],
            ['k3', 1000],
        ]) {
            await store.begin(call(key, { firstSentAt: now - age }), { adopt: false });
            await store.release(key);
        }
        expect((await store.pending()).map(({ key }) => key), ['k2', 'k1', 'k3']);
    },
    'goes on with an equal call whose outcome nobody knows, once': async (store) => {
        await store.begin(call('k1'), adopt);
        await store.release('k1');
        expect(await store.begin(call('k2'), adopt), { stored: call('k1'), isNew: false });
        expect((await store.begin(call('k3'), adopt)).isNew, true);
    },
    'starts a call anew where that is asked for': async (store) => {
        await store.begin(call('k1'), adopt);
        await store.release('k1');
        expect((await store.begin(call('k2'), { adopt: false })).isNew, true);
    },
    'goes on with no other call': async (store) => {
        await store.begin(call('k1'), adopt);
        await store.release('k1');
        const others = [
            { operation: 'submit' },
            { url: 'https://router.example/b' },
            { body: '{}' },
            { owner: 'b' },
        ];
        for (const [index, other] of others.entries())
            expect((await store.begin(call(`other-${index}`, other), adopt)).isNew, true);
    },
    'returns the call that has the key already': async (store) => {
        await store.begin(call('k1'), { adopt: false });
        expect(await store.begin(call('k1', { body: '{}' }), { adopt: false }), { stored: call('k1'), isNew: false });
    },
    'keeps where an admitted request is in place of its body': async (store) => {
        await store.begin(call('k1'), adopt);
        await store.admit('k1', queued);
        await store.release('k1');
        expect(await store.take('k1'), { ...call('k1'), body: '', queued });
        await store.release('k1');
        expect((await store.begin(call('k2'), adopt)).isNew, true);
        await store.admit('no such key', queued);
    },
    'lists a result until its caller is done with it, and an equal call starts anew': async (store) => {
        await store.begin(call('k1'), adopt);
        await store.keepListed('k1');
        expect((await store.pending()).map(({ key }) => key), ['k1']);
        expect((await store.begin(call('k2'), adopt)).isNew, true);
        expect(await store.take('k1'), call('k1'));
        await store.finish('k1');
        expect(await store.pending(), []);
    },
    'forgets what is finished, by its key or the id of its request': async (store) => {
        await store.begin(call('k1'), adopt);
        await store.finish('k1');
        await store.finish('k1');
        expect(await store.take('k1'), undefined);
        await store.begin(call('k2'), adopt);
        await store.admit('k2', queued);
        await store.finishQueued('another');
        await store.release('k2');
        expect((await store.pending()).length, 1);
        await store.finishQueued(queued.requestId);
        expect(await store.pending(), []);
    },
    'gives a call to one of many who ask for it': async (store) => {
        await store.begin(call('k1'), adopt);
        await store.release('k1');
        const taken = await Promise.all(Array.from({ length: 20 }, () => store.take('k1')));
        expect(taken.filter((one) => one !== undefined).length, 1);
    },
    'keeps keys and bodies with any characters': async (store) => {
        const body = JSON.stringify({ prompt: `Hafen 港 🚢 \u0000 ' "\n`.repeat(10_000) });
        for (const key of ['a/../b', "'; DROP TABLE keys; --", '%_*', 'k'.repeat(255)]) {
            await store.begin(call(key, { body }), { adopt: false });
            await store.release(key);
            expect(await store.take(key), call(key, { body }));
            await store.release(key);
        }
        expect((await store.pending()).length, 4);
    },
};
/** What a `KeyStore` has to do, in any test framework: `for (const { name, run } of keyStoreTests) test(name, () => run(createMyStore));` */
export const keyStoreTests = Object.entries(checks).map(([name, check]) => ({
    name,
    run: async (create) => check(await create()),
}));
const now = systemClock.now();
const adopt = { adopt: true };
const queued = { requestId: 'r', statusUrl: 'https://a/s', responseUrl: 'https://a/r', cancelUrl: 'https://a/c' };
function call(key, more = {}) {
    const url = 'https://router.example/a';
    return { key, operation: 'run', model: 'a/b', url, body: '{"prompt":"a"}', owner: 'a', firstSentAt: now, ...more };
}
