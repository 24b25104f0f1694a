/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * Creates a `fetch` without Node's timeouts of five minutes for headers and for parts of a body, since the router may hold a run for ten.
 * On platforms other than Node it is the plain `fetch`.
 */
export declare function createPatientFetch(): (url: string, init: RequestInit) => Promise<Response>;
