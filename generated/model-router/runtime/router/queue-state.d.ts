/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Answer } from './call.js';
import { type Category } from './categories.js';
import type { ResponseFacts } from './response-facts.js';
import type { QueuedAddresses } from './router-error.js';
type Every = {
    /** As the service wrote it; unknown words count as pending. */
    readonly status: string;
    readonly addresses: QueuedAddresses;
    /** Of the response that said so, with the wait it asked for. */
    readonly facts: ResponseFacts;
};
export type QueueState = (Every & {
    readonly kind: 'pending' /** Requests ahead; 0 is the front. */;
    readonly position?: number;
}) | (Every & {
    readonly kind: 'succeeded';
})
/** Failed, cancelled or timed out. A cancellation says nothing about billing. */
 | (Every & {
    readonly kind: 'ended';
    readonly category: Category;
});
/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export declare function readQueueState({ body, facts }: Pick<Answer, 'body' | 'facts'>): QueueState | undefined;
export {};
