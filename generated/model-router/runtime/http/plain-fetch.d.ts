/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Replaces `patient-fetch.ts` in browser bundles, through the package's `browser` field. */
export declare const removeTimeouts: () => object;
