import type { ResponseFacts } from './response-facts.ts';
import type { RouterError, RouterOperation } from './router-error.ts';

/** One call of a method, with all that it sends. */
export type CallEvent = {
  readonly callId: string;
  readonly operation: RouterOperation;
  readonly model: string | undefined;
};
export type CallEndEvent = CallEvent & {
  readonly durationMs: number;
  /** What the method threw; absent after a success. */
  readonly error?: RouterError;
};
/** Attribute names follow the semantic conventions of OpenTelemetry. Credentials and bodies are never part of an event. */
export type RequestEvent = CallEvent & {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly key: string | undefined;
  readonly attributes: {
    readonly 'http.request.method': string;
    readonly 'url.full': string;
    /** 0 for the first attempt. */
    readonly 'http.request.resend_count': number;
  };
};
export type ResponseEvent = Omit<RequestEvent, 'attributes'> & {
  readonly facts: ResponseFacts | undefined;
  readonly durationMs: number;
  readonly attributes: RequestEvent['attributes'] & {
    /** Absent when no response arrived. */
    readonly 'http.response.status_code'?: number;
    /** Category of an error, `timeout` or `network`. */
    readonly 'error.type'?: string;
  };
};
export type RetryEvent = ResponseEvent & {
  readonly waitMs: number;
  /** Whether the server told to wait; such a repetition uses up no attempt. */
  readonly asTold: boolean;
  /** Why it was not the last attempt, such as `503 service_unavailable` or `network`. */
  readonly reason: string;
};
type Events = {
  onStart: CallEvent;
  onEnd: CallEndEvent;
  onRequest: RequestEvent;
  onResponse: ResponseEvent;
  onRetry: RetryEvent;
};
/** Functions that watch a client at work: a call, and within it the attempts. */
export type RouterObservers = { readonly [Name in keyof Events]?: ((event: Events[Name]) => void) | undefined };
/** @deprecated Use `RouterObservers`. */
export type RouterHooks = RouterObservers;
