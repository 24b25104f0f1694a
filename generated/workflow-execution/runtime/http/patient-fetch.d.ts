/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Returns options that remove the timeouts of Node's `fetch`: five minutes, but the router may hold a run for ten. */
export declare function liftTimeouts(): object;
