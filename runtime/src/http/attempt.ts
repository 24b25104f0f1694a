import { reachable } from './base-url.ts';
import { DeadlinePassed, readElapsed, within } from './clock.ts';
import type { CallOptions, Connection, WorkOf } from './connection.ts';
import type { Credential } from './credential.ts';
import { explainCause, explainEnd } from './explain-failure.ts';
import { guardStream } from './guard-stream.ts';
import { notifyAll, passThrough } from './observers.ts';
import { present } from './present.ts';
import { type Body, readBody } from './read-body.ts';
import { type GivenHeaders, mergeHeaders } from './transport.ts';

/** A request that is sent until its outcome is known. */
export type Sending = {
  /** What events of an attempt say of its call. */
  readonly facts: object;
  /** `GET` by default. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: GivenHeaders;
  readonly body?: string;
  /** Of one attempt; a minute by default. */
  readonly timeoutMs?: number;
  /** Of a body; the client's `maxResponseBytes` by default. */
  readonly maxBytes?: number;
  /** Leaves the body of a 200 or 201 to the caller. */
  readonly stream?: boolean | undefined;
  /** Of a stream: what is done when it was read to its end, or was not. */
  whenRead?: (isWhole: boolean) => Promise<void>;
  /** Of the first attempt's credential, which all attempts of a key have to use. */
  readonly owner?: string;
  readonly queued?: unknown;
  /** How often it was sent. */
  attempts: number;
  /** An attempt is under way: nobody knows what becomes of it. */
  isOpen?: boolean;
  /** The service works on it, so that waiting for it costs nothing. */
  isAdmitted: boolean;
};

/**
 * What follows an attempt that failed; nothing where it is final. As `isTold` by the server, a repetition uses up no attempt.
 * Without `seconds`, back off.
 */
export type NextStep = { readonly isTold: boolean; readonly seconds?: number | undefined } | undefined;

/** A response with its body. */
export type Answer = { readonly response: Response; readonly body: Body };

/** What one attempt came to: `facts` and `type`, that of an error, are for observers. */
type Said = { readonly facts?: object | undefined; readonly type?: string | undefined };
export type Verdict<Result> = (Said & { readonly result: Result }) | Failure;
export type Failure = Said & { readonly error: Error; readonly next: NextStep };

/** What an API makes of attempts. */
export type Dialect<Result> = {
  readonly read: (answer: Answer) => Verdict<Result>;
  /** Of an attempt without an answer. */
  readonly lose: (cause: unknown) => Failure;
  /** Waits for a place, for so long at most; what it gives leaves the place. */
  readonly enter?: ((limitMs: number) => Promise<() => void>) | undefined;
};

export type Work = WorkOf<Connection, CallOptions>;

/** Sends a request once. Redirects are not followed: one would carry the credential to a place that nobody chose. */
export async function attempt<Result>(call: Sending, { read, lose }: Dialect<Result>, work: Work) {
  const { clock, parts, signal, maxResponseBytes } = work;
  const credential = await readCredential(call, work);
  if ((call.owner ?? credential.owner) !== credential.owner)
    throw work.fail(call, 'the key was first sent with another credential; set credentialScope if both have one owner');
  const { method = 'GET', url, body = null, timeoutMs = 60_000, maxBytes = maxResponseBytes } = call;
  const headers = mergeHeaders(work.headers, call.headers, credential.headers);
  if (headers === undefined || !reachable.test(url))
    throw work.fail(call, 'the address, a header or the credential cannot be sent');
  signal?.throwIfAborted();
  const startedAt = readElapsed(clock);
  if (startedAt >= work.endsAt) throw new DeadlinePassed();
  const attributes = {
    'http.request.method': method,
    'url.full': work.credential.redact(url),
    'http.request.resend_count': call.attempts,
  };
  call.attempts += 1;
  const event = { callId: work.callId, attempt: call.attempts, ...call.facts, attributes };
  notifyAll(parts, 'onRequest', event);
  const request = new AbortController();
  const explain = (cause: unknown): unknown => {
    const end = explainEnd(cause, call, work);
    return end === cause ? lose(cause).error : end;
  };
  const receive = async (): Promise<Answer> => {
    const init = { method, headers, body, redirect: 'manual', signal: request.signal } as const;
    const response = await passThrough(work.fetch, parts, event)(url, init);
    if (call.stream && response.ok && response.status < 202) {
      const guarded = guardStream(response, { call, request, explain }, work);
      return { response: guarded, body: { kind: 'stream', value: guarded.body } };
    }
    // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
    const receipt = readBody(response, maxBytes).catch((cause: unknown): Body => {
      return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
    });
    return { response, body: await receipt };
  };
  let end: unknown;
  call.isOpen = true;
  const sent = await within(receive(), work, work.attemptTimeoutMs ?? timeoutMs).catch((cause: unknown) => {
    request.abort(cause);
    signal?.throwIfAborted();
    if (cause instanceof DeadlinePassed && cause.limitMs === undefined) end = cause; // the whole call is over
    return { cause, response: undefined };
  });
  call.isOpen = end !== undefined;
  const verdict = sent.response === undefined ? lose(sent.cause) : read(sent);
  const said = { 'http.response.status_code': sent.response?.status, 'error.type': verdict.type };
  const heard = {
    ...event,
    facts: verdict.facts,
    durationMs: readElapsed(clock) - startedAt,
    attributes: present({ ...attributes, ...said }),
  };
  notifyAll(parts, 'onResponse', heard);
  if (end !== undefined) throw end;
  return { verdict, event: heard };
}

/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
export async function readCredential(call: object, work: Work): ReturnType<Credential['current']> {
  const { credential, fail } = work;
  if (credential.known !== undefined) return credential.known;
  const current = credential.current().catch((cause: unknown) => {
    throw fail(call, 'the credential cannot be read', { cause });
  });
  return credential.isFixed ? current : within(current, work);
}
