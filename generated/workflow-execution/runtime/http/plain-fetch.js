/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Replaces `patient-fetch.ts` in bundles for browsers, by the field `browser` of the package. */
export const createPatientFetch = () => (url, init) => globalThis.fetch(url, init);
