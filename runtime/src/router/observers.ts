import type { ResponseFacts } from './response-facts.ts';
import type { RouterOperation } from './router-error.ts';

/** Attribute names follow the semantic conventions of OpenTelemetry. Credentials and bodies are never part of an event. */
export type RequestEvent = {
  readonly operation: RouterOperation;
  readonly model: string | undefined;
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
    /** Category of an error, or `network`. */
    readonly 'error.type'?: string;
  };
};
export type RetryEvent = ResponseEvent & {
  readonly waitMs: number;
  /** Whether the server told to wait; such a repetition uses up no attempt. */
  readonly asTold: boolean;
};
/** Functions that watch a client at work. */
export type RouterObservers = {
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
  readonly onRetry?: (event: RetryEvent) => void;
};
/** @deprecated Use `RouterObservers`. */
export type RouterHooks = RouterObservers;
