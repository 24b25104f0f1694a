/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type TimeLimit } from './clock.js';
export type StreamGuard = {
    readonly idleTimeoutMs: number;
    /** Closes the connection. */
    readonly close: (why?: unknown) => void;
    /** Called when the stream ends, before the reader is notified. `isWhole`: the body was read completely. */
    readonly whenRead: (isWhole: boolean) => Promise<void>;
    /** Converts a `DeadlinePassed`, an abort or a lost connection to the error that the reader receives. */
    readonly explain: (cause: unknown) => unknown;
};
/** Returns a response for the caller to read. An idle stream or reader, an abort and the deadline end the connection. */
export declare function guardStream(response: Response, time: TimeLimit, { idleTimeoutMs, close, whenRead, explain }: StreamGuard): Response;
