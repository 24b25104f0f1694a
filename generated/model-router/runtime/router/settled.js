/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { RouterError } from './router-error.js';
/** The same methods, with their errors as values. */
export function settled(methods) {
    const entries = Object.entries(methods).map(([name, method]) => [name, settle(method)]);
    return Object.fromEntries(entries); // fromEntries forgets the names
}
function settle(method) {
    return async (...args) => {
        try {
            return { ok: true, ...(await method(...args)) };
        }
        catch (error) {
            if (error instanceof RouterError)
                return { ok: false, error };
            throw error; // a mistake in the program, not an outcome of a call
        }
    };
}
