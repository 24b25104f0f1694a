/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { omitUndefined } from './omit-undefined.js';
// A symbol instead of `instanceof`, because a program may contain two copies of a package, each with its own class.
const readBrand = (name) => Symbol.for(`${name} of a generated client`);
export function hasBrand(value, name) {
    return Reflect.get(Object(value), readBrand(name)) === true;
}
export function createErrorClass(name) {
    const errorClass = class extends Error {
        constructor(message, facts, cause) {
            super(message, omitUndefined({ cause }));
            Object.assign(this, { name }, facts);
        }
        get [readBrand(name)]() {
            return true;
        }
        toJSON() {
            return { ...this, message: this.message };
        }
    };
    // Not a static member, because some compilers would assign to the read-only property.
    Object.defineProperty(errorClass, 'name', { value: name });
    return errorClass; // The constructor assigns the members.
}
/** Resolves to `{ ok: false, error }` for an error of the client. Rejects for any other error, which is a bug. */
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
