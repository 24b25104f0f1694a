/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { within } from '../http/clock.js';
import { storeFailure } from './failures.js';
/**
 * Forgets the key of a result: at once, or when a stream was read to its end, or when the caller settles it. Until then its
 * key collects the same result again.
 */
export async function settleResult(answer, { isManual, key, finish }, { call, keys }) {
    const settle = () => finish().catch((cause) => {
        throw storeFailure(call, 'the key cannot be settled', cause);
    });
    if (isManual && key !== undefined) {
        await kept(keys.keepListed(key));
        return { ...answer, settle };
    }
    if (answer.whenRead === undefined)
        await kept(finish());
    else
        answer.whenRead(async (isWhole) => {
            if (isWhole)
                await kept(finish());
            else if (key !== undefined)
                await kept(keys.release(key));
        });
    return { ...answer, settle };
}
const longestChangeMs = 10_000;
/**
 * A change of the store that comes after the response. One that fails or hangs must not cost the result: the call is then listed as
 * pending although it is not, and its key leads to the same result.
 */
export async function kept(change) {
    const limit = { signal: new AbortController().signal, ms: longestChangeMs };
    await within(change, limit).catch(() => undefined);
}
