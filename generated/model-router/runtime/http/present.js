/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Without the members that are undefined. */
export function present(members) {
    const found = {};
    // As a loop, since a call does this many times.
    for (const name in members)
        if (members[name] !== undefined)
            found[name] = members[name]; // it is not undefined
    return found;
}
