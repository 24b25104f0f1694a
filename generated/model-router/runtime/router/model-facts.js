/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export function toModel(target) {
    return typeof target === 'string' ? { id: target } : target;
}
/** What the response of a run may be; undefined where nothing is known of it, as for other providers. */
export function findMediaTypes({ outputMediaTypes }, other) {
    return other.modelProvider === undefined && other.fallbackProvider === undefined ? outputMediaTypes : undefined;
}
