/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A program that gave no sign of life for so long is gone. */
export declare const staleMs = 10000;
/** Gives a sign of life again and again until the returned function is called, which waits for the last one. */
export declare function keepAlive(beat: () => Promise<unknown>): () => Promise<void>;
