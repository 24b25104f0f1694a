/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Replaces `patient-fetch.ts` in bundles for browsers, by the field `browser` of the package. */
export declare const liftTimeouts: () => object;
