/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Answer, Deadline } from './attempt.js';
import { type Category } from './categories.js';
import type { Connection } from './connection.js';
import { type CallIdentity } from './failures.js';
import type { ResponseFacts } from './response-facts.js';
import type { QueuedAddresses, RouterOperation } from './router-error.js';
/** What `cancel` was answered; neither says anything about billing. */
export type Cancellation = {
    /** `requested`: the outcome is read from the status. `already-completed`: nothing changed. */
    readonly outcome: 'requested' | 'already-completed';
    /** As the service wrote it. */
    readonly status: string;
};
type AnyState = {
    /** As the service wrote it; unknown words count as pending. */
    readonly status: string;
    readonly addresses: QueuedAddresses;
    /** Of the response that refused, with the wait it asked for. */
    readonly facts: ResponseFacts;
};
export type QueueState = (AnyState & {
    readonly kind: 'pending' /** Requests ahead; 0 is the front. */;
    readonly position?: number;
}) | (AnyState & {
    readonly kind: 'succeeded';
})
/** Failed, cancelled or timed out. A cancellation says nothing about billing. */
 | (AnyState & {
    readonly kind: 'ended';
    readonly category: Category;
});
export type EndedState = Extract<QueueState, {
    readonly kind: 'ended';
}>;
/** One request of the queue, wherever it was submitted. */
export type QueuedCall = {
    readonly model: string;
    readonly addresses: QueuedAddresses;
    readonly key?: string | undefined;
    readonly chargesOnPolicyRejection?: string | undefined;
};
/** Reads the status once. */
export declare function readStatus(queued: QueuedCall, time: Deadline, connection: Connection): Promise<QueueState>;
/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export declare function readStates(queued: QueuedCall, time: Deadline, connection: Connection): AsyncGenerator<QueueState, void, void>;
/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export declare function collect(queued: QueuedCall, { time, stream, ended }: {
    time: Deadline;
    stream?: boolean;
    ended?: EndedState | undefined;
}, connection: Connection): Promise<Answer>;
export declare function cancelQueued(queued: QueuedCall, time: Deadline, connection: Connection): Promise<Cancellation>;
export declare function identify(operation: RouterOperation, { model, addresses, key, chargesOnPolicyRejection }: QueuedCall): CallIdentity & {
    readonly queued: QueuedAddresses;
};
/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export declare function readState({ model, queued }: CallIdentity, { body, facts }: Answer, { baseUrl, credential }: Connection): QueueState | undefined;
export {};
