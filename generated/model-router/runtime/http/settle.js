/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Returns an error of a client as a value. Rejects for every other error, which is a mistake in the program. */
export async function settle(work, isFailure) {
    try {
        return { ok: true, ...(await work) };
    }
    catch (error) {
        if (isFailure(error))
            return { ok: false, error };
        throw error;
    }
}
