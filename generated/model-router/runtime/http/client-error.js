/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { present } from './present.js';
// A program may have two copies of a package, with two classes.
const readBrand = (name) => Symbol.for(`${name} of a generated client`);
/** True for an error with this brand. */
export function hasBrand(value, name) {
    return Reflect.get(Object(value), readBrand(name)) === true;
}
/** Creates an error class whose name appears in consoles and stacks. */
export function createErrorClass(name) {
    const made = class extends Error {
        constructor(message, facts, cause) {
            super(message, present({ cause }));
            Object.assign(this, { name }, facts);
        }
        get [readBrand(name)]() {
            return true;
        }
        toJSON() {
            return { ...this, message: this.message };
        }
    };
    // Not a static member: some compilers would assign to the read-only property.
    Object.defineProperty(made, 'name', { value: name });
    return made; // its members are assigned
}
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
