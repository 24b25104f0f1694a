/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export function defineTest(name, check) {
    return { name, run: async (create) => check(await create()) };
}
export function expect(value, wanted) {
    const [found, expected] = [JSON.stringify(value), JSON.stringify(wanted)];
    if (found !== expected)
        throw new Error(`expected ${expected}, and found ${found}`);
}
