/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
const day = 24 * 60 * 60 * 1000;
export function limitOf({ signal, deadlineMs }, { connection }, usualMs = day) {
    const lasts = deadlineMs ?? usualMs;
    if (Number.isNaN(lasts))
        throw new TypeError('deadlineMs is no number');
    return { signal: signal ?? new AbortController().signal, deadlineMs: lasts, endsAt: connection.clock.now() + lasts };
}
