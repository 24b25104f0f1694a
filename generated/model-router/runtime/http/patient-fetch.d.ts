/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/**
 * Returns options of Node's `fetch` that remove its timeouts of five minutes for headers and for parts of a body, since the router may
 * hold a run for ten. Returns no options on other platforms.
 */
export declare function liftTimeouts(): object;
