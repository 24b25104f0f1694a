import { longestTimerMs } from './clock.ts';
import { type GuardedResponse, guardStream, type StreamLimits } from './guard-stream.ts';
import { type ReadBody, readBody } from './read-body.ts';

/**
 * As the platform's `fetch` is called, with what is used of its options. A `Request` in their place would be copied, which takes
 * longer than all else that a call does, and packages that have a `fetch` of their own do not know the platform's.
 */
export type Transport = (url: string, init: TransportOptions) => Promise<Response>;
export type TransportOptions = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
};
/** One attempt: a response, or none. The body of a stream is not read; one that broke off is `malformed`. */
export type Sent =
  | {
      readonly kind: 'answered';
      readonly response: Response;
      readonly body: ReadBody | { readonly kind: 'stream' };
      /** Of a stream. */
      readonly whenRead?: GuardedResponse['whenRead'];
    }
  | { readonly kind: 'lost'; readonly cause: unknown /** Where its time was over. */; readonly timeoutMs?: number }
  /** No request can be made of it, so nothing was sent. The platform's words are left out: they repeat the credential. */
  | { readonly kind: 'unsendable' };

export type Outgoing = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /** A later one replaces an earlier one of its name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  readonly fetch: Transport;
  /** Ends the whole call; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Ends this attempt only, which counts as lost. */
  readonly timeoutMs: number;
  /** More than this of a body is not read; a stream has no such limit. */
  readonly maxBytes: number;
  /** Leaves the body of a 200 or 201 to the caller, within these limits. */
  readonly stream: StreamLimits | undefined;
};

/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(outgoing: Outgoing): Promise<Sent> {
  const { signal, url, method, body, stream, timeoutMs } = outgoing;
  signal.throwIfAborted();
  const headers = mergeHeaders(outgoing);
  if (headers === undefined) return { kind: 'unsendable' };
  const attempt = new AbortController();
  // By hand, since Node has `AbortSignal.any` from 20.3 on only, and takes its time for it.
  const stop = (): void => attempt.abort(signal.reason);
  signal.addEventListener('abort', stop);
  const timer = setTimeout(() => attempt.abort(), Math.min(timeoutMs, longestTimerMs));
  let isStream = false;
  const release = (): void => signal.removeEventListener('abort', stop);
  try {
    const response = await outgoing.fetch(url, { method, headers, body, redirect: 'manual', signal: attempt.signal });
    if (stream !== undefined && response.ok && response.status < 202) {
      isStream = true;
      return { kind: 'answered', body: { kind: 'stream' }, ...guardStream(response, stream, { attempt, release }) };
    }
    const answer = await readBody(response, outgoing.maxBytes).catch((cause: unknown): ReadBody => {
      if (attempt.signal.aborted) throw cause;
      // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
      return { kind: 'malformed', text: '', cause };
    });
    return { kind: 'answered', response, body: answer };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    return { kind: 'lost', cause, ...(attempt.signal.aborted ? { timeoutMs } : {}) };
  } finally {
    clearTimeout(timer);
    if (!isStream) release(); // who reads a stream can still stop it
  }
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Undefined when no platform makes a request of them. Looked at here, since its `Headers` and `Request` take longer than the
 * rest of the call.
 */
function mergeHeaders({ url, headers }: Outgoing): Record<string, string> | undefined {
  const all = new Map<string, string>();
  for (const [name, value] of headers) {
    if (!headerName.test(name) || !headerValue.test(value.trim())) return undefined;
    all.set(name.toLowerCase(), value.trim());
  }
  return /^https?:\/\/[^/@]+(\/|$)/i.test(url) ? Object.fromEntries(all) : undefined;
}
