import { type Time, within } from './clock.ts';
import { explainCause } from './explain-cause.ts';
import { guardStream, type StreamGuard } from './guard-stream.ts';
import { type Body, readBody } from './read-body.ts';

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
/** A response with its body. */
export type Answer = { readonly response: Response; readonly body: Body };

type Bounds = {
  readonly limitMs: number;
  /** More than this of a body is not read; a stream has no such limit. */
  readonly maxBytes: number;
  /** Leaves the body of a 200 to the caller. */
  readonly stream: StreamGuard | undefined;
};

/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(
  fetch: (init: Pick<TransportOptions, 'redirect' | 'signal'>) => Promise<Response>,
  time: Time,
  { limitMs, maxBytes, stream }: Bounds,
): Promise<Answer> {
  const attempt = new AbortController();
  const { signal } = attempt;
  const end = (why: unknown): void => attempt.abort(why);
  const receive = async (): Promise<Answer> => {
    const response = await fetch({ redirect: 'manual', signal });
    if (stream !== undefined && response.status === 200) {
      const guarded = guardStream(response, time, { ...stream, end });
      return { response: guarded, body: { kind: 'stream', value: guarded.body } };
    }
    const body = await readBody(response, maxBytes).catch((cause: unknown): Body => {
      // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
      return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
    });
    return { response, body };
  };
  return within(receive(), time, limitMs).catch((cause: unknown) => {
    end(cause);
    throw cause;
  });
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers of a request, of which a later one replaces an earlier one of its name; undefined where no platform sends them. Looked at
 * here, since its `Headers` and `Request` take longer than the rest of the call.
 */
export function mergeHeaders(
  ...parts: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> | undefined {
  const all = new Map<string, string>();
  for (const [name, value] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    if (!headerName.test(name) || !headerValue.test(value.trim())) return undefined;
    all.set(name.toLowerCase(), value.trim());
  }
  return Object.fromEntries(all);
}
