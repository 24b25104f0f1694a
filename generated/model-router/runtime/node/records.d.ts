/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Replaces a file in one step, readable by its owner alone, and returns when it would survive a loss of power. */
export declare function writeWhole(path: string, text: string): Promise<void>;
/** Undefined for a text that is no JSON object. */
export declare function parseRecord(text: string): Record<string, unknown> | undefined;
