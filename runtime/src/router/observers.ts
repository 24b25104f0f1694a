import type {
  EndEventOf,
  MiddlewareOf,
  ObserversOf,
  OutgoingOf,
  PartOf,
  RequestEventOf,
  ResponseEventOf,
  RetryEventOf,
} from '../http/observers.ts';
import type { ResponseFacts } from './response-facts.ts';
import type { RouterError, RouterOperation } from './router-error.ts';

/** One call of a method, with all that it sends. */
type CallFacts = { readonly operation: RouterOperation; readonly model: string | undefined };
type RequestFacts = CallFacts & { readonly idempotencyKey: string | undefined };
export type CallEvent = CallFacts & { readonly callId: string };
export type CallEndEvent = EndEventOf<CallFacts, RouterError>;
export type RequestEvent = RequestEventOf<RequestFacts>;
export type ResponseEvent = ResponseEventOf<RequestFacts> & { readonly facts: ResponseFacts | undefined };
export type RetryEvent = RetryEventOf<ResponseEvent>;
/** Functions that watch a client at work: a call, and within it the attempts. */
export type RouterObservers = ObserversOf<CallFacts, RequestEvent, ResponseEvent, RouterError>;
export type OutgoingRequest = OutgoingOf<RequestEvent>;
export type Middleware = MiddlewareOf<OutgoingRequest>;
export type RouterPart = PartOf<OutgoingRequest, RouterObservers>;
