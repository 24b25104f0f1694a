/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { present } from './present.js';
// By name in the whole program: two copies of a package, or two programs in one page, have two classes.
const readBrand = (name) => Symbol.for(`${name} of a generated client`);
/** Told apart by a brand instead of a class, since a program may hold two copies of a package. */
export function hasBrand(value, name) {
    return Reflect.get(Object(value), readBrand(name)) === true;
}
/** The class has a name of its own, which consoles and stacks show. */
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
    // Not a static member: compilers that assign class fields would write to a read-only property.
    Object.defineProperty(made, 'name', { value: name });
    return made; // its members are assigned
}
