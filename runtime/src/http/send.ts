import { eitherSignal } from './either-signal.ts';
import { type ReadBody, readBody } from './read-body.ts';

export type Fetch = (request: Request) => Promise<Response>;
export type Outgoing = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};
/** One attempt: a response that arrived whole, or none. The body of a stream is not read. */
export type Sent =
  | { readonly kind: 'answered'; readonly response: Response; readonly body: ReadBody | { readonly kind: 'stream' } }
  | { readonly kind: 'lost'; readonly cause: unknown };

export type SendOptions = {
  readonly fetch: Fetch;
  /** Ends the whole call; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Ends this attempt only, which counts as lost. */
  readonly timeoutMs: number;
  /** Leaves the body of a success to the caller. */
  readonly stream?: boolean;
};

/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(outgoing: Outgoing, options: SendOptions): Promise<Sent> {
  const attempt = new AbortController();
  const timer = setTimeout(() => attempt.abort(), options.timeoutMs);
  const { url, ...init } = outgoing;
  try {
    options.signal.throwIfAborted();
    const signal = eitherSignal(options.signal, attempt.signal);
    const response = await options.fetch(new Request(url, { ...init, redirect: 'manual', signal }));
    const body = options.stream && response.ok ? ({ kind: 'stream' } as const) : await readBody(response);
    return { kind: 'answered', response, body };
  } catch (cause) {
    if (options.signal.aborted) throw options.signal.reason;
    return { kind: 'lost', cause };
  } finally {
    clearTimeout(timer);
  }
}
