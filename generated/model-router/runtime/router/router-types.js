/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export const toModel = (target) => typeof target === 'string' ? { id: target } : target; // No value has the type NothingImported.
