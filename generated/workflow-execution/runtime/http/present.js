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
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)); // fromEntries forgets the names
}
