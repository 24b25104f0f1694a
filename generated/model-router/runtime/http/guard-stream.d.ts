/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Time } from './clock.js';
export type StreamGuard = {
    /** `whenRead` is what is done before the reader sees it when the body was read to its end, or was not. */
    readonly call: {
        readonly whenRead?: (isWhole: boolean) => Promise<void>;
    };
    /** Ends the request itself. */
    readonly request: AbortController;
    /** The error that the reader gets: of a `DeadlinePassed`, of an abort, or of a connection that is gone. */
    readonly explain: (cause: unknown) => unknown;
};
/** A response whose body the caller reads after the call has returned. */
export declare function guardStream(response: Response, { call, request, explain }: StreamGuard, time: Time & {
    readonly idleTimeoutMs: number;
}): Response;
