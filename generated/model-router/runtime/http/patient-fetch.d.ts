/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * `fetch` without the five minutes that Node waits for a head or a part of a body, since a run may be held for ten.
 * On platforms without Node's dispatcher it is their plain `fetch`.
 */
export declare function createPatientFetch(): (url: string, init: RequestInit) => Promise<Response>;
