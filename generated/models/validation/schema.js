/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export function readKind(value) {
    if (value === null)
        return 'null';
    if (Array.isArray(value))
        return 'array';
    const kind = typeof value;
    if (kind === 'bigint')
        return 'number';
    if (kind === 'number')
        return Number.isFinite(value) ? 'number' : 'other';
    return kind === 'boolean' || kind === 'string' || kind === 'object' ? kind : 'other';
}
export function isContainer(value) {
    return typeof value === 'object' && value !== null;
}
export function isMembers(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** Returns the names of the members that JSON would contain. */
export function listNames(value) {
    return Object.keys(value).filter((name) => value[name] !== undefined);
}
/** True if an object has an own member. */
export function has(value, name) {
    return Object.hasOwn(value, name) && value[name] !== undefined;
}
