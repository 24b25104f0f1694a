/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Far from the end of any stack. */
const deepest = 100;
/**
 * Returns JSON, or an error with its causes, without secrets in its texts and in the names of its members. A value that has
 * none, and that can be searched as a whole, is returned itself. The copy of an error is an `Error` with its name, message,
 * stack, code, cause and errors; in it, bytes and instances of other classes are replaced by the name of their class.
 */
export function redactValue(value, redact) {
    const seen = new Set();
    const isClean = (part, depth) => {
        if (typeof part === 'string')
            return redact(part) === part;
        if (typeof part !== 'object' || part === null)
            return typeof part !== 'function';
        if (seen.has(part))
            return true;
        seen.add(part);
        if (part instanceof Uint8Array)
            return isClean(new TextDecoder().decode(part), depth);
        if (depth === deepest || !(part instanceof Error || Array.isArray(part) || isPlain(part)))
            return false;
        return membersOf(part).every((name) => isClean(String(name), depth + 1) && isClean(Reflect.get(part, name), depth + 1));
    };
    return isClean(value, 0) ? value : copyValue(value, redact);
}
function copyValue(value, redact) {
    const copies = new Map();
    const copy = (part, depth) => {
        if (typeof part === 'string')
            return redact(part);
        if (typeof part === 'function')
            return '[function]';
        if (typeof part !== 'object' || part === null)
            return part;
        if (depth === deepest)
            return '[nested too deep]';
        const copied = copies.get(part) ?? makeEmpty(part, redact);
        if (copied === undefined)
            return Object.prototype.toString.call(part);
        if (copies.has(part))
            return copied;
        copies.set(part, copied); // before its members, which may lead back to it
        for (const name of part instanceof Error ? shownOfErrors : Object.keys(part)) {
            if (!(name in part))
                continue;
            const enumerable = !(part instanceof Error) || name === 'code';
            const member = {
                value: copy(Reflect.get(part, name), depth + 1),
                enumerable,
                configurable: true,
                writable: true,
            };
            Object.defineProperty(copied, redact(name), member); // an assignment to `__proto__` would be lost
        }
        return copied;
    };
    return copy(value, 0);
}
function makeEmpty(value, redact) {
    if (value instanceof Error)
        return new Error(redact(value.message));
    if (Array.isArray(value))
        return [];
    return isPlain(value) ? {} : undefined;
}
const shownOfErrors = ['name', 'stack', 'code', 'cause', 'errors'];
function membersOf(value) {
    const own = Reflect.ownKeys(value);
    // Those of a DOMException are of its prototype.
    return value instanceof Error ? [...own, 'name', 'message', 'stack', 'cause'] : own;
}
function isPlain(value) {
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
}
