import { longestTimerMs } from './clock.ts';
import { eitherSignal } from './either-signal.ts';
import { type ReadBody, readBody } from './read-body.ts';

export type Fetch = (request: Request) => Promise<Response>;
export type Outgoing = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};
/** One attempt: a response, or none. The body of a stream is not read; one that broke off is `malformed`. */
export type Sent =
  | { readonly kind: 'answered'; readonly response: Response; readonly body: ReadBody | { readonly kind: 'stream' } }
  | { readonly kind: 'lost'; readonly cause: unknown; readonly isTimeout: boolean }
  /** No request can be made of it, so nothing was sent. The platform's words are left out: they repeat the credential. */
  | { readonly kind: 'unsendable' };

export type SendOptions = {
  readonly fetch: Fetch;
  /** Headers of every request; those of `outgoing` replace them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the whole call; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Ends this attempt only, which counts as lost. */
  readonly timeoutMs: number;
  /** Takes secrets out of the body of an error. */
  readonly redact: (text: string) => string;
  /** Leaves the body of a 200 to the caller. */
  readonly stream?: boolean;
};

/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(outgoing: Outgoing, options: SendOptions): Promise<Sent> {
  const { signal } = options;
  signal.throwIfAborted();
  const attempt = new AbortController();
  const timer = setTimeout(() => attempt.abort(), Math.min(options.timeoutMs, longestTimerMs));
  try {
    const request = requestOf(outgoing, options.headers, eitherSignal(signal, attempt.signal));
    if (request === undefined) return { kind: 'unsendable' };
    const response = await options.fetch(request);
    if (options.stream && response.status === 200) return { kind: 'answered', response, body: { kind: 'stream' } };
    const body = await readBody(response, options.redact).catch((cause: unknown): ReadBody => {
      if (signal.aborted || attempt.signal.aborted) throw cause;
      // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
      return { kind: 'malformed', text: '', cause };
    });
    return { kind: 'answered', response, body };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    return { kind: 'lost', cause, isTimeout: attempt.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}

function requestOf(
  { url, headers, ...init }: Outgoing,
  defaults: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Request | undefined {
  try {
    const all = new Headers(defaults);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return new Request(url, { ...init, headers: all, redirect: 'manual', signal });
  } catch {
    return undefined;
  }
}
