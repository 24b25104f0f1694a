// `Transport` takes a URL and options, not a `Request`: creating a `Request` takes longer than everything else in a
// call, and packages with their own `fetch` don't accept one.
/** Called like the platform's `fetch`, with a subset of its options. */
export type Transport = (url: string, init: TransportOptions) => Promise<Response>;
export type TransportOptions = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly redirect: 'manual';
  /** Set for reads if the platform has the option, because Next.js would cache them. */
  readonly cache?: 'no-store';
  readonly signal: AbortSignal;
};

/** Headers by name; `undefined` is the same as omitting one. */
export type GivenHeaders = Readonly<Record<string, string | undefined>>;

type WithCallId<Facts> = Facts & { readonly callId: string };
/** An attempt, without credentials and bodies. Attributes are named like OpenTelemetry's semantic conventions. */
export type RequestEventOf<Facts> = WithCallId<Facts> & {
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
    /** Missing if no response arrived. */
    readonly 'http.response.status_code'?: number;
    /** Error category of the service, or `timeout` or `network`. */
    readonly 'error.type'?: string;
  };
};
export type RetryEventOf<Event> = Event & {
  readonly waitMs: number;
  /** True if the server requested the wait. Such a retry doesn't count against `maxAttempts`. */
  readonly isRequested: boolean;
  /** Reason for the next attempt, such as `503 service_unavailable` or `network`. */
  readonly reason: string;
};
/** The end of a call. `error` is missing if the call succeeded. */
export type EndEventOf<Facts, Failure> = WithCallId<Facts> & { readonly durationMs: number; readonly error?: Failure };
type Observer<Event> = ((event: Event) => void) | undefined;
export type ObserversOf<Facts, Sent, Answered, Failure> = {
  readonly onStart?: Observer<WithCallId<Facts>>;
  readonly onEnd?: Observer<EndEventOf<Facts, Failure>>;
  readonly onRequest?: Observer<Sent>;
  readonly onResponse?: Observer<Answered>;
  readonly onRetry?: Observer<RetryEventOf<Answered>>;
};

/** An attempt before it is sent. `url` may contain a credential, attributes never do. */
export type OutgoingOf<Event> = TransportOptions & Event & { readonly url: string };
/** A middleware can change the request, answer it, or read the response. The headers contain the credential. */
export type MiddlewareOf<Outgoing> = (
  request: Outgoing,
  next: (request: Outgoing) => Promise<Response>,
) => Promise<Response>;
/** Parameter of `use`: a middleware, or observers with an optional middleware. */
export type PartOf<Outgoing, Observers> =
  | MiddlewareOf<Outgoing>
  | (Observers & { readonly middleware?: MiddlewareOf<Outgoing> | undefined });

type AnyMiddleware = (request: never, next: (request: OutgoingOf<object>) => Promise<Response>) => Promise<Response>;
export type Part = { readonly middleware?: AnyMiddleware | undefined } & ObserversOf<never, never, never, never>;

export function applyMiddleware(fetch: Transport, parts: readonly Part[], facts: object): Transport {
  return parts.reduceRight<Transport>((next, { middleware }) => {
    if (middleware === undefined) return next;
    const resume = ({ url, ...init }: OutgoingOf<object>): Promise<Response> => {
      const sending = next(url, init);
      // A rejection of `sending` that a middleware doesn't await must not end the process.
      void Promise.resolve(sending).catch(() => undefined);
      return sending;
    };
    return (url, init) => middleware({ ...init, ...facts, url } as never, resume); // The client has typed its middleware.
  }, fetch);
}

/** Calls an observer and ignores its errors, because they must not lose a billed result or end the process. */
export async function notify<Event>(observer: ((event: Event) => unknown) | undefined, event: Event): Promise<void> {
  try {
    await observer?.(event);
  } catch {
    // The call continues.
  }
}

export function notifyAll(parts: readonly Part[], name: Exclude<keyof Part, 'middleware'>, event: object): void {
  for (const part of parts) if (part[name]) void notify(part[name], event as never); // The client has typed its observers.
}

export const addParts =
  <Added extends Part | AnyMiddleware>(parts: Part[]) =>
  (...added: readonly Added[]): void => {
    for (const part of added) parts.push(typeof part === 'function' ? { middleware: part } : part);
  };

/** A function that receives the lines of the debug log, or true for `console.debug`. */
export type Debug = boolean | ((line: string) => void);

type LogFacts = { readonly operation: string; readonly model?: string; readonly jobId?: string };
type DebugLog = ObserversOf<LogFacts, RequestEventOf<LogFacts>, ResponseEventOf<LogFacts>, Error>;

/** Creates observers that log each attempt, wait and end. Their events contain no bodies and no credentials. */
export function createDebugLog(client: string, debug: Debug): DebugLog {
  const write = typeof debug === 'function' ? debug : (line: string): void => globalThis.console.debug(line);
  const log = ({ callId, operation, model, jobId = '' }: WithCallId<LogFacts>, text: string): void =>
    write(`${client} ${callId.slice(0, 8)} ${operation} ${model ?? jobId}: ${text}`);
  return {
    onRequest(event) {
      const { 'http.request.method': method, 'url.full': url } = event.attributes;
      log(event, `attempt ${event.attempt}: ${method} ${url}`);
    },
    onResponse(event) {
      const { 'http.response.status_code': status = 'no response', 'error.type': type } = event.attributes;
      const outcome = type === undefined ? status : `${status} ${type}`;
      log(event, `attempt ${event.attempt}: ${outcome} after ${Math.round(event.durationMs)} ms`);
    },
    onRetry: (event) => log(event, `waits ${Math.round(event.waitMs)} ms after ${event.reason}`),
    onEnd(event) {
      const outcome = event.error ? `failed: ${event.error.message}` : 'done';
      log(event, `${outcome} (${Math.round(event.durationMs)} ms)`);
    },
  };
}
