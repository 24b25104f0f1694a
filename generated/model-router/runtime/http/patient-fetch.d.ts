/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Returns options that remove the five-minute timeouts of Node's `fetch`: the router may hold a run for ten minutes. */
export declare function removeTimeouts(): object;
