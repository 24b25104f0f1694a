/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { Part } from './observers.js';
/** A function that receives the lines of the debug log, or true for `console.debug`. */
export type Debug = boolean | ((line: string) => void);
/** Creates observers that log each attempt, wait and end. Their events contain no bodies and no credentials. */
export declare function createDebugLog(client: string, debug: Debug): Part;
