/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export type StreamLimits = {
    /** What is left of the call's time. */
    readonly deadlineMs: number;
    /** How long the body may give nothing to a reader that waits. */
    readonly idleMs: number;
    /** The error that the reader gets: of a `DeadlinePassed`, of an abort, or of a connection that is gone. */
    readonly explain: (cause: unknown) => unknown;
};
/** A response whose body the caller reads after the call has returned. */
export type GuardedResponse = {
    readonly response: Response;
    /** Sets what is done once, before the reader sees it, when the body was read to its end or was not. */
    readonly whenRead: (work: (isWhole: boolean) => Promise<void>) => void;
};
/** `attempt` ends the request itself; `release` lets go of the caller's signal, which may outlive thousands of calls. */
export declare function guardStream(response: Response, { deadlineMs, idleMs, explain }: StreamLimits, { attempt, release }: {
    attempt: AbortController;
    release: () => void;
}): GuardedResponse;
