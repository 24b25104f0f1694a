/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Time } from './clock.js';
export type StreamGuard = Time & {
    readonly idleTimeoutMs: number;
    /** Closes the connection. */
    readonly close: (why?: unknown) => void;
    /** Called when the stream ends, before the reader is notified. `isWhole`: the body was read completely. */
    readonly whenRead: (isWhole: boolean) => Promise<void>;
    /** Converts a `DeadlinePassed`, an abort or a lost connection to the error that the reader receives. */
    readonly explain: (cause: unknown) => unknown;
};
/**
 * Returns a response whose body the caller reads later. Closes the connection if it sends no bytes for `idleTimeoutMs`,
 * if the reader doesn't start within that time or pauses for 10 minutes, at the deadline, and when the signal aborts.
 */
export declare function guardStream(response: Response, guard: StreamGuard): Response;
