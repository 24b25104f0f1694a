/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export function omitUndefined(members) {
    const found = {};
    // A loop is the fastest way, and each call uses this function many times.
    for (const name in members)
        if (members[name] !== undefined)
            found[name] = members[name];
    return found;
}
