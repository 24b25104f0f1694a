/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A program without a heartbeat for this long counts as gone. */
export declare const staleMs = 10000;
/** Calls `beat` every two seconds until the returned function is called, which waits for the last beat. */
export declare function keepAlive(beat: () => Promise<unknown>): () => Promise<void>;
