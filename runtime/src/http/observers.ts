import type { Transport, TransportOptions } from './transport.ts';

type Called<Facts> = Facts & { readonly callId: string };
/** An attempt. Attribute names follow the semantic conventions of OpenTelemetry. Events hold neither credentials nor bodies. */
export type RequestEventOf<Facts> = Called<Facts> & {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly attributes: {
    readonly 'http.request.method': string;
    readonly 'url.full': string;
    /** 0 for the first attempt. */
    readonly 'http.request.resend_count': number;
  };
};
export type ResponseEventOf<Facts> = RequestEventOf<Facts> & {
  readonly durationMs: number;
  readonly attributes: {
    /** Absent when no response arrived. */
    readonly 'http.response.status_code'?: number;
    /** Category of an error, `timeout` or `network`. */
    readonly 'error.type'?: string;
  };
};
export type RetryEventOf<Event> = Event & {
  readonly waitMs: number;
  /** True where the server asked to wait; such a repetition uses up no attempt. */
  readonly asTold: boolean;
  /** Why it was not the last attempt, such as `503 service_unavailable` or `network`. */
  readonly reason: string;
};
/** The end of a call; `error` is absent after a success. */
export type EndEventOf<Facts, Failure> = Called<Facts> & { readonly durationMs: number; readonly error?: Failure };
type Observer<Event> = ((event: Event) => void) | undefined;
/** Functions that watch a client at work: a call, and within it the attempts. */
export type ObserversOf<Facts, Sent, Answered, Failure> = {
  readonly onStart?: Observer<Called<Facts>>;
  readonly onEnd?: Observer<EndEventOf<Facts, Failure>>;
  readonly onRequest?: Observer<Sent>;
  readonly onResponse?: Observer<Answered>;
  readonly onRetry?: Observer<RetryEventOf<Answered>>;
};

/** One attempt on its way to the service, with the facts of its call. Unlike `url`, no attribute holds a credential. */
export type OutgoingOf<Event> = TransportOptions & Event & { readonly url: string };
/** May change the request, answer in place of the service, or look at the response. The credential is among the headers. */
export type MiddlewareOf<Outgoing> = (
  request: Outgoing,
  next: (request: Outgoing) => Promise<Response>,
) => Promise<Response>;
/** The parameter of `use`: a middleware, or observers that may come with one. */
export type PartOf<Outgoing, Observers> =
  | MiddlewareOf<Outgoing>
  | (Observers & { readonly middleware?: MiddlewareOf<Outgoing> | undefined });

type AnyMiddleware = (request: never, next: (request: OutgoingOf<object>) => Promise<Response>) => Promise<Response>;
/** A part that was added to a client, whatever its events are. */
export type Part = { readonly middleware?: AnyMiddleware | undefined } & ObserversOf<never, never, never, never>;

/** The `fetch` of one attempt: through every middleware in order. */
export function passThrough(fetch: Transport, parts: readonly Part[], facts: object): Transport {
  return parts.reduceRight<Transport>((next, { middleware }) => {
    if (middleware === undefined) return next;
    const resume = ({ url, ...init }: OutgoingOf<object>): Promise<Response> => next(url, init);
    return (url, init) => middleware({ ...init, ...facts, url } as never, resume); // its client gives the facts that it takes
  }, fetch);
}

/** Calls an observer. One that throws must not cost a billed result, and one that rejects must not end the process. */
export async function notify<Event>(observer: ((event: Event) => unknown) | undefined, event: Event): Promise<void> {
  try {
    await observer?.(event);
  } catch {
    // The call goes on.
  }
}

export function notifyAll(parts: readonly Part[], name: Exclude<keyof Part, 'middleware'>, event: object): void {
  for (const part of parts) if (part[name]) void notify(part[name], event as never); // its client gives the event that it takes
}

/** The method `use` of a client. */
export const addParts =
  <Added extends Part | AnyMiddleware>(parts: Part[]) =>
  (...added: readonly Added[]): void => {
    for (const part of added) parts.push(typeof part === 'function' ? { middleware: part } : part);
  };
