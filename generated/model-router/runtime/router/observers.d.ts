/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { EndEventOf, MiddlewareOf, ObserversOf, OutgoingOf, PartOf, RequestEventOf, ResponseEventOf, RetryEventOf } from '../http/observers.js';
import type { ResponseFacts } from './response-facts.js';
import type { RouterError, RouterOperation } from './router-error.js';
/** One call of a method, with all that it sends. */
type CallFacts = {
    readonly operation: RouterOperation;
    readonly model: string | undefined;
};
type RequestFacts = CallFacts & {
    readonly idempotencyKey: string | undefined;
};
export type CallEvent = CallFacts & {
    readonly callId: string;
};
export type CallEndEvent = EndEventOf<CallFacts, RouterError>;
export type RequestEvent = RequestEventOf<RequestFacts>;
export type ResponseEvent = ResponseEventOf<RequestFacts> & {
    readonly facts: ResponseFacts | undefined;
};
export type RetryEvent = RetryEventOf<ResponseEvent>;
/** Functions that watch a client at work: a call, and within it the attempts. */
export type RouterObservers = ObserversOf<CallFacts, RequestEvent, ResponseEvent, RouterError>;
export type OutgoingRequest = OutgoingOf<RequestEvent>;
export type Middleware = MiddlewareOf<OutgoingRequest>;
export type RouterPart = PartOf<OutgoingRequest, RouterObservers>;
export {};
