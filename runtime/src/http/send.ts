import { httpUrlPattern } from './base-url.ts';
import { type Call, type CallState, type Client, maxBudget, retryCost } from './call.ts';
import { DeadlinePassed, readElapsed, throwIfAborted, waitMs, withDeadline } from './clock.ts';
import type { Access } from './credential.ts';
import { applyMiddleware, type GivenHeaders, notifyAll } from './observers.ts';
import { omitUndefined } from './omit-undefined.ts';
import { removeTimeouts } from './patient-fetch.ts';
import { type Body, readBody } from './read-body.ts';
import { type Redactor, redactCause } from './redactor.ts';

export type CallRequest<Identity> = {
  readonly identity: Identity;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: GivenHeaders;
  readonly body?: string | null;
  /** Timeout of an attempt. Default: one minute. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** True to let the caller read the body of a 200 or 201. */
  readonly isStream?: boolean | undefined;
  /** Wall-clock time after which the key must not be sent, and a function that returns the resulting error. */
  readonly expiry?:
    | { readonly at: number; readonly refuse: (progress: Progress, cause?: unknown) => Error }
    | undefined;
};

/**
 * Decides when a call is retried. `keyed` and `unkeyed` calls are billed, and `unkeyed` ones are never retried. `read` is
 * free. `poll`, `collect` and `cancel` concern an admitted request; lost responses to a `poll` use up no attempt.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';

/** Defines how a request is sent and how its responses are interpreted. */
export type Policy<Identity, Result> = CallRequest<Identity> & {
  readonly facts: object;
  readonly repetition: Repetition;
  /** True if the service already works on the call, so that `maxWaitMs` and the retry budget don't apply. */
  readonly isAdmitted?: boolean | undefined;
  /** Waits for a free slot, at most `limitMs`. Returns a function that releases it. */
  readonly acquire?: ((limitMs: number) => Promise<() => void>) | undefined;
  readonly decide: (received: ReceivedResponse, progress: Progress) => Decision<Result>;
};

export type Progress = {
  attempts: number;
  /** True if an attempt of a billed call was sent whose outcome is unknown, so that it may have started a run. */
  mayHaveRun: boolean;
};

/** A response with its body. `end` closes the connection of a stream. */
export type ReceivedResponse = {
  readonly response: Response;
  readonly body: Body;
  readonly end: (why?: unknown) => void;
};
/** The next attempt, after `ms` or a backoff. If the server requested it, it doesn't count against `maxAttempts`. */
export type NextAttempt = { readonly isRequested: boolean; readonly ms?: number | undefined };
/** `facts` and `type` (the error category) are for observers. */
export type Decision<Result> = { readonly facts?: object | undefined; readonly type?: string | undefined } & (
  | { readonly result: Result }
  | {
      readonly error: Error;
      readonly next: NextAttempt | undefined;
      readonly mayHaveRun?: boolean;
      readonly isAdmitted?: boolean;
    }
);

/** Sends a call, with retries, until its outcome is known. Only rejects with errors of the client. */
export async function send<Identity, Result>(
  call: Call<Client<Identity>>,
  policy: Policy<Identity, Result>,
): Promise<Result> {
  const { client, clock, signal } = call;
  const { budget, parts } = client;
  const { expiry } = policy;
  const progress: Progress = { attempts: 0, mayHaveRun: false };
  let waitedMs = policy.isAdmitted ? -Infinity : 0; // `maxWaitMs` doesn't apply to an admitted call.
  let hasRenewed = false;
  let repetitions = 0;
  const refuse = (message: string, cause?: unknown): Error =>
    client.fail(policy.identity, { kind: 'local', message, cause, ...progress });
  /** Reads the credential for all attempts that follow. */
  const readAccess = async (): Promise<Access> => {
    const reading = client.credential.read().catch((cause: unknown) => {
      throw refuse('the credential cannot be read', cause);
    });
    call.access = await withDeadline(reading, call);
    return call.access;
  };
  /** Returns the headers of the next attempt. Throws if the call can't be sent. */
  const prepareAttempt = async (): Promise<Record<string, string>> => {
    const { headers: own, secret } = call.access ?? (await readAccess());
    const headers = mergeHeaders(call.headers, policy.headers, own);
    if (typeof headers === 'string')
      throw refuse(headers in own ? 'the credential cannot be sent' : `the header ${headers} must be a one-line text`);
    if (!httpUrlPattern.test(policy.url))
      throw refuse('the URL must be an absolute http or https URL without a user name');
    throwIfAborted(signal);
    if (expiry !== undefined && clock.now() >= expiry.at) throw expiry.refuse(progress);
    if (readElapsed(clock) >= call.endsAt) throw new DeadlinePassed();
    call.secrets.add(secret);
    progress.attempts += 1;
    return headers;
  };
  try {
    for (;;) {
      const queuedAt = readElapsed(clock);
      const release = await policy.acquire?.(call.maxWaitMs - waitedMs);
      waitedMs += readElapsed(clock) - queuedAt;
      const headers = await prepareAttempt().catch((error) => {
        release?.();
        throw error;
      });
      const sentAt = readElapsed(clock);
      const sent = {
        'http.request.method': policy.method ?? 'GET',
        'url.full': parts.length === 0 ? '' : call.redact(policy.url), // Redacting takes long, and nothing would read it.
        'http.request.resend_count': progress.attempts - 1,
      };
      const started = { callId: call.id, attempt: progress.attempts, ...policy.facts, attributes: sent };
      notifyAll(parts, 'onRequest', started);
      const attempt = await sendOnce(call, policy, progress, headers, started).finally(release);
      const status = 'response' in attempt ? attempt.response.status : undefined;
      const decision = 'response' in attempt ? policy.decide(attempt, progress) : attempt;
      const { facts, type } = decision;
      const durationMs = readElapsed(clock) - sentAt;
      const attributes = { ...sent, ...omitUndefined({ 'http.response.status_code': status, 'error.type': type }) };
      const event = { ...started, facts, durationMs, attributes };
      notifyAll(parts, 'onResponse', event);
      if ('result' in decision) {
        budget.left = Math.min(maxBudget, budget.left + (repetitions > 0 ? retryCost : 1));
        return decision.result;
      }
      progress.mayHaveRun ||= decision.mayHaveRun === true && isBilled(policy);
      if (decision.isAdmitted) waitedMs = -Infinity;
      // Read a renewed credential only once for consecutive 401s. The new one may expire too during a long run, so
      // read the credential again if a different status came in between.
      if (status !== 401) hasRenewed = false;
      else if (!hasRenewed && policy.repetition !== 'unkeyed') {
        hasRenewed = true;
        const refused = call.access?.secret;
        if ((await readAccess()).secret !== refused) continue;
      }
      const { error, next } = decision;
      if (next === undefined) throw error;
      if (!next.isRequested) {
        repetitions += 1;
        const price = policy.isAdmitted ? 0 : retryCost;
        if (repetitions >= call.maxAttempts || budget.left < price) throw error;
        budget.left -= price;
      }
      // Back off for `Retry-After: 0` or a past date, because such a response doesn't use up an attempt.
      const ms = waitMs(next.ms || undefined, progress.attempts, clock);
      waitedMs += ms;
      if (waitedMs > call.maxWaitMs) throw error;
      if (readElapsed(clock) + ms >= call.endsAt)
        throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
      if (expiry !== undefined && clock.now() + ms >= expiry.at) throw expiry.refuse(progress, error);
      const reason = [status, type ?? 'broken off'].join(' ').trim();
      notifyAll(parts, 'onRetry', { ...event, waitMs: ms, isRequested: next.isRequested, reason });
      await clock.sleep(ms, signal);
    }
  } catch (error) {
    throw explainEnd(error, policy.identity, progress, call);
  }
}

const isBilled = ({ repetition }: { readonly repetition: Repetition }): boolean =>
  repetition === 'keyed' || repetition === 'unkeyed';

/** Sends one attempt. Doesn't follow redirects, which would send the credential to a different origin. */
async function sendOnce<Identity>(
  call: Call<Client<Identity>>,
  policy: Policy<Identity, unknown>,
  progress: Progress,
  headers: Record<string, string>,
  event: object,
): Promise<ReceivedResponse | Decision<never>> {
  const { method = 'GET', url, isStream, body = null, timeoutMs = 60_000, maxBytes, repetition } = policy;
  const { client, signal } = call;
  const { fetch: transport, maxResponseBytes, parts } = client;
  const controller = new AbortController();
  const end = (why?: unknown): void => controller.abort(why);
  const hasCache = method === 'GET' && 'cache' in (globalThis.Request?.prototype ?? {});
  const cache = hasCache ? ({ cache: 'no-store' } as const) : {};
  const init = { method, headers, body, redirect: 'manual', signal: controller.signal, ...cache } as const;
  const mayHaveRunBefore = progress.mayHaveRun;
  let isSent = false;
  const fetch = applyMiddleware(
    (target, options) => {
      // Throw before `isSent` is set: nothing was sent, so the call is neither repeated nor billed.
      if (!transport && typeof globalThis.fetch !== 'function')
        throw new TypeError('this platform has no fetch: set the option fetch');
      isSent = true;
      progress.mayHaveRun ||= isBilled(policy); // If the wait for the response is aborted, its outcome is unknown.
      // Not called as a method, because the `fetch` of browsers needs its own `this`.
      return transport ? transport(target, options) : globalThis.fetch(target, { ...options, ...removeTimeouts() });
    },
    parts,
    event,
  );
  const receive = async (answering: Promise<Response>): Promise<ReceivedResponse> => {
    const response = await answering;
    // For example, a middleware lacks a `return`. The request may have been sent, so this is a lost response.
    if (!response?.headers?.get) throw new Error('fetch or a middleware returned no Response');
    if (isStream && response.ok && response.status < 202) return { response, body: { kind: 'stream' }, end };
    // An incomplete body must not hide the status and the headers (MR-ERR-24, MR-ERR-25).
    const receipt = readBody(response, maxBytes ?? maxResponseBytes).catch((cause: unknown): Body => {
      return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
    });
    return { response, body: await receipt, end };
  };
  try {
    const received = await withDeadline(receive(fetch(url, init)), call, call.attemptTimeoutMs ?? timeoutMs);
    progress.mayHaveRun = mayHaveRunBefore; // The policy decides by the response.
    return received;
  } catch (cause) {
    end(cause);
    throwIfAborted(signal);
    if (cause instanceof DeadlinePassed && cause.limitMs === undefined) throw cause; // The whole call has timed out.
    const { isUnsent, isFinal, ...loss } = explainLostAttempt(cause, isSent, call.redact);
    if (isUnsent) progress.mayHaveRun = mayHaveRunBefore;
    // Next.js throws errors with a digest to its renderer, for example to render a page on each request.
    const { digest }: { digest?: unknown } = Object(cause);
    const isPermanent = isFinal || digest !== undefined || repetition === 'unkeyed';
    const next = isPermanent ? undefined : { isRequested: repetition === 'poll' };
    const error = client.fail(policy.identity, { ...loss, ...progress, isRetryable: next !== undefined });
    if (digest !== undefined) Object.assign(error, { digest });
    return { type: loss.kind, error, next };
  }
}

/** Merges headers; later ones replace earlier ones. Returns the name of a header that is invalid. */
function mergeHeaders(...parts: readonly (GivenHeaders | undefined)[]): Record<string, string> | string {
  // The platform's `Headers` would take longer than the rest of the call.
  const all: Record<string, string> = {};
  for (const part of parts)
    for (const [name, value] of Object.entries<unknown>(part ?? {})) {
      if (value === undefined) continue;
      if (typeof value !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())) return name;
      all[name.toLowerCase()] = value.trim();
    }
  return all;
}

/** Converts a passed deadline or an abort to an error of the client; returns any other error unchanged. */
export function explainEnd<Identity>(
  error: unknown,
  identity: Identity,
  state: CallState,
  { client, signal, deadlineMs: wholeMs, redact }: Call<Client<Identity>>,
): unknown {
  const facts = { isRetryable: true, ...state };
  if (signal?.aborted)
    return client.fail(identity, { ...facts, kind: 'aborted', message: 'aborted', cause: redactCause(error, redact) });
  if (!(error instanceof DeadlinePassed)) return error;
  const { limitMs: deadlineMs = wholeMs, cause, message: detail } = error;
  const message = `not ${state.attempts === 0 ? 'sent' : 'finished'} within ${deadlineMs} ms${detail}`;
  return client.fail(identity, { ...facts, kind: 'timeout', deadlineMs, message, cause });
}

/** Errors of Node and Deno for a connection that was not established. Redirects are not followed, so nothing was sent. */
const unsentErrors = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|client error \(Connect\)/;
/** Error codes of connections that would fail again: certificate, TLS version, no TLS, or a port that `fetch` blocks. */
const permanentErrors =
  /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)|ports? \d+ are blocked$/;

function explainCause(cause: unknown): { code: string; isUnsent: boolean; isFinal: boolean } {
  const { cause: inner = cause }: { cause?: unknown } = Object(cause);
  const { message = cause, code: given = message, syscall }: { [name: string]: unknown } = Object(inner);
  const code = String(given);
  const isFinal = permanentErrors.test(code);
  return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsentErrors.test(code) };
}

type LostAttempt = {
  readonly message: string;
  readonly cause: unknown;
  /** True if the server can't have received the request. */
  readonly isUnsent?: boolean;
  /** True if another attempt would fail in the same way. */
  readonly isFinal?: boolean;
} & ({ readonly kind: 'network' | 'local' } | { readonly kind: 'timeout'; readonly deadlineMs: number });

/** Explains why an attempt got no response. `isSent`: the request was passed to `fetch`. */
export function explainLostAttempt(lost: unknown, isSent: boolean, redact: Redactor): LostAttempt {
  const cause = redactCause(lost, redact);
  if (lost instanceof DeadlinePassed) {
    const { limitMs: deadlineMs = 0 } = lost;
    return { kind: 'timeout', message: `no answer within ${deadlineMs} ms`, cause, deadlineMs };
  }
  if (!isSent || isSignalRefused(lost)) {
    const message = `it was not sent: ${redact(String(Object(lost).message ?? lost))}`;
    return { kind: 'local', message, cause, isUnsent: true, isFinal: true };
  }
  const { code, isUnsent, isFinal } = explainCause(lost);
  const message = `${isUnsent ? 'no connection to the server' : 'no response'} (${redact(code)})`;
  return { kind: 'network', message, cause, isUnsent, isFinal };
}

/** True if the platform's `fetch` rejects the program's signals, as Node's rejects those of jsdom. Nothing was sent. */
function isSignalRefused(lost: unknown): boolean {
  if (!(lost instanceof TypeError) || lost.cause !== undefined || typeof Request !== 'function') return false;
  try {
    return new Request('http://localhost/', { signal: new AbortController().signal }) === undefined;
  } catch {
    return true;
  }
}
