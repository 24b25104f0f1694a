/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * For your own key store, in any test framework:
 * `for (const { name, run } of keyStoreTests) test(name, () => run(createMyStore));`
 */
export const keyStoreTests = [
    defineTest('lists a record as it was added', async (store) => {
        expect(await store.list({}), []);
        expect(await store.add(record('k1')), true);
        expect((await store.list({})).map(pick), [{ ...record('k1'), holder: 'a' }]);
    }),
    defineTest('finds records by key and by group', async (store) => {
        for (const one of [record('k1'), record('k2'), record('k3', { group: 'other' })])
            await store.add(one);
        expect(keysOf(await store.list({ key: 'k2' })), ['k2']);
        expect(keysOf(await store.list({ group: 'group' })), ['k1', 'k2']);
        expect(keysOf(await store.list({})), ['k1', 'k2', 'k3']);
        expect([await store.list({ key: 'k4' }), await store.list({ group: 'none' })], [[], []]);
    }),
    defineTest('keeps keys and texts with any characters', async (store) => {
        const keys = ['a/../b', "'; DROP TABLE keys; --", '%_*', 'k'.repeat(255)];
        const text = `{"prompt":"Hafen 港 🚢 \\u0000 ' \\n"}${'x'.repeat(200_000)}\n`;
        for (const key of keys)
            expect(await store.add(record(key, { text })), true);
        for (const key of keys)
            expect((await store.list({ key })).map(pick), [pick(record(key, { text }))]);
    }),
    defineTest('adds one of several records with the same key', async (store) => {
        const added = await Promise.all(texts(10).map((text) => store.add(record('k1', { text }))));
        expect(added.filter(Boolean).length, 1);
        expect((await store.list({})).length, 1);
        expect(await store.add(record('k1', { group: 'other' })), false);
        expect((await store.list({}))[0]?.text, texts(10)[added.indexOf(true)]);
    }),
    defineTest('changes group and text, and leaves who holds it', async (store) => {
        await store.add(record('k1'));
        await store.update('k1', { group: 'other', text: 'changed' });
        expect((await store.list({ group: 'group' })).length, 0);
        const [changed] = await store.list({ group: 'other' });
        expect(changed && pick(changed), { key: 'k1', group: 'other', text: 'changed', holder: 'a' });
        await store.update('k2', { group: 'other', text: 'of no record' });
        expect(keysOf(await store.list({})), ['k1']);
    }),
    defineTest('changes the holder only where it is the one that is named', async (store) => {
        await store.add(record('k1'));
        expect(await store.hold('k1', 'b 2', undefined), false);
        expect(await store.hold('k1', 'b 2', 'c 1'), false);
        const was = (await store.list({ key: 'k1' }))[0]?.holder ?? undefined;
        expect(await store.hold('k1', 'b 2', was), true);
        expect((await store.list({})).map(holderOf), ['b']);
        expect(await store.hold('k1', undefined, 'b 2'), true);
        expect((await store.list({})).map(holderOf), [undefined]);
        expect(await store.hold('k1', 'c 3', undefined), true);
        expect((await store.list({})).map(holderOf), ['c']);
    }),
    defineTest('takes signs of life', async (store) => {
        await store.add(record('k1'));
        expect(await store.hold('k1', 'a 2', 'a 1'), true);
        expect(await store.hold('k1', 'a 3', 'a 2'), true);
        expect((await store.list({})).map(holderOf), ['a']);
    }),
    defineTest('gives a record to one of many who ask for it', async (store) => {
        for (const key of texts(5)) {
            await store.add(record(key));
            await store.hold(key, undefined, 'a 1');
            const taken = await Promise.all(texts(20).map((holder) => store.hold(key, `${holder} 1`, undefined)));
            expect(taken.filter(Boolean).length, 1);
        }
    }),
    defineTest('forgets what is removed', async (store) => {
        for (const key of ['k1', 'k2'])
            await store.add(record(key));
        await store.remove('k1');
        await store.remove('k1');
        expect(keysOf(await store.list({})), ['k2']);
        expect(await store.add(record('k1')), true);
        expect((await store.list({ key: 'k1' })).map(holderOf), ['a']);
    }),
];
function defineTest(name, check) {
    return { name, run: async (create) => check(await create()) };
}
function record(key, more = {}) {
    return { key, group: 'group', text: `text of ${key}`, ...more, holder: 'a 1' };
}
const texts = (count) => Array.from({ length: count }, (_, index) => `number-${index}`);
const keysOf = (records) => records.map(({ key }) => key).sort();
/** A store may keep the time of a sign of life in its own way. */
const holderOf = ({ holder }) => holder?.split(' ')[0];
const pick = (one) => ({ key: one.key, group: one.group, text: one.text, holder: holderOf(one) });
function expect(value, wanted) {
    const [found, expected] = [JSON.stringify(value), JSON.stringify(wanted)];
    if (found !== expected)
        throw new Error(`expected ${expected}, and found ${found}`);
}
