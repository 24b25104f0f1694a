/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The same methods, with the errors of their client as values. Any other one is a mistake in the program, and is thrown. */
export function settled(methods, isFailure) {
    const settle = (method) => async (...args) => {
        try {
            return { ok: true, ...(await method(...args)) };
        }
        catch (error) {
            if (isFailure(error))
                return { ok: false, error };
            throw error;
        }
    };
    const all = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, settle(method)]));
    return all; // under the same names
}
