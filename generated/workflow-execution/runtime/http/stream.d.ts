/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Time } from './clock.js';
export type StreamGuard = Time & {
    readonly idleTimeoutMs: number;
    /** Closes the connection. */
    readonly close: (why?: unknown) => void;
    /** Called when the body was read to its end, or was not; before the reader sees it. */
    readonly whenRead: (isWhole: boolean) => Promise<void>;
    /** The error that the reader gets for a `DeadlinePassed`, an abort, or a connection that is gone. */
    readonly explain: (cause: unknown) => unknown;
};
/**
 * A response whose body the caller reads after the call has returned. Its connection is closed where it gives no bytes for `idleTimeoutMs`,
 * where the reader does not begin within that time or pauses for too long, at the deadline, and with the signal.
 */
export declare function guardStream(response: Response, guard: StreamGuard): Response;
