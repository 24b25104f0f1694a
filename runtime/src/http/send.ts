import { reachable } from './base-url.ts';
import { type Call, type CallState, type Client, maxBudget, repetitionPrice } from './call.ts';
import { DeadlinePassed, readElapsed, waitMs, within } from './clock.ts';
import type { Access } from './credential.ts';
import { applyMiddleware, type GivenHeaders, notifyAll } from './observers.ts';
import { liftTimeouts } from './patient-fetch.ts';
import { present } from './present.ts';
import { type Body, readBody } from './read-body.ts';
import { type Redactor, redactCause } from './redactor.ts';

/** Request of a call; each attempt sends it. */
export type CallRequest<Identity> = {
  readonly identity: Identity;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: GivenHeaders;
  readonly body?: string | null;
  /** Timeout of an attempt. Default: one minute. */
  readonly timeoutMs?: number;
  /** Maximum body size in bytes. Default: the client's `maxResponseBytes`. */
  readonly maxBytes?: number;
  /** True to let the caller read the body of a 200 or 201. */
  readonly isStream?: boolean | undefined;
  /** Wall-clock time after which the key must not be sent, and the message of the resulting error. */
  readonly expiry?: { readonly at: number; readonly message: string } | undefined;
};

/** Defines how a request is sent and how its responses are interpreted. */
export type Policy<Identity, Result> = CallRequest<Identity> & {
  /** Additional members of attempt events. */
  readonly facts: object;
  /** False if another attempt could start a second run. */
  readonly isRepeatable?: boolean;
  /** True if an attempt may start a run. */
  readonly isBilled?: boolean;
  /** True if the service already works on the call, so that `maxWaitMs` and the retry budget don't apply. */
  readonly isAdmitted?: boolean;
  /** True if attempts without a response don't count. */
  readonly isPoll?: boolean;
  /** Waits for a free place, at most `limitMs`. Returns a function that releases it. */
  readonly acquire?: ((limitMs: number) => Promise<() => void>) | undefined;
  readonly decide: (answer: Answer, progress: Progress) => Decision<Result>;
};

export type Progress = {
  attempts: number;
  /** True while an attempt is in progress. */
  isOpen: boolean;
  /** True once an attempt may have started a run. */
  mayHaveRun: boolean;
};
type Sending = Progress & {
  isAdmitted: boolean;
  /** True if the last attempt had a renewed credential. */
  isRenewed: boolean;
  repetitions: number;
  waitedMs: number;
};

/** A response with its body. `end` closes the connection of a stream. */
export type Answer = { readonly response: Response; readonly body: Body; readonly end: (why?: unknown) => void };
/** An attempt without a response. `isFinal`: another attempt would fail in the same way. */
type Loss = {
  readonly message: string;
  readonly cause: unknown;
  readonly isUnsent: boolean;
  readonly isFinal: boolean;
} & ({ readonly kind: 'network' | 'local' } | { readonly kind: 'timeout'; readonly deadlineMs: number });
/** The next attempt, after `ms` or a backoff. If the server requested it, it doesn't count against `maxAttempts`. */
export type NextAttempt = { readonly isRequested: boolean; readonly ms?: number | undefined };
type Failed = {
  readonly error: Error;
  readonly next: NextAttempt | undefined;
  readonly mayHaveRun?: boolean;
  readonly isAdmitted?: boolean;
};
/** `facts` and `type`, the category of an error, are for observers. */
export type Decision<Result> = { readonly facts?: object | undefined; readonly type?: string | undefined } & (
  | { readonly result: Result }
  | Failed
);

/** Sends a call until its outcome is known. Only rejects with errors of the client. */
export async function send<Identity, Result>(
  call: Call<Client<Identity>>,
  policy: Policy<Identity, Result>,
): Promise<Result> {
  const { client, signal } = call;
  const { clock, budget, parts } = client;
  const sending: Sending = {
    ...{ attempts: 0, isOpen: false, mayHaveRun: false },
    ...{ isAdmitted: policy.isAdmitted === true, isRenewed: false, repetitions: 0, waitedMs: 0 },
  };
  try {
    for (;;) {
      const { headers, release } = await prepareAttempt(call, policy, sending);
      const sentAt = readElapsed(clock);
      const started = describeAttempt(call, policy, sending, {}, {});
      notifyAll(parts, 'onRequest', started);
      const attempt = await sendOnce(call, policy, sending, headers, started).finally(release);
      const status = 'response' in attempt ? attempt.response.status : undefined;
      const decision =
        'response' in attempt ? policy.decide(attempt, sending) : decideLoss(client, policy, attempt, sending);
      const { facts, type } = decision;
      const attributes = { 'http.response.status_code': status, 'error.type': type };
      const event = describeAttempt(
        call,
        policy,
        sending,
        { facts, durationMs: readElapsed(clock) - sentAt },
        attributes,
      );
      notifyAll(parts, 'onResponse', event);
      if ('result' in decision) {
        budget.left = Math.min(maxBudget, budget.left + (sending.repetitions > 0 ? repetitionPrice : 1));
        return decision.result;
      }
      sending.mayHaveRun ||= decision.mayHaveRun === true;
      sending.isAdmitted ||= decision.isAdmitted === true;
      if (await renewCredential(call, policy, sending, status)) continue;
      const ms = planRetry(call, policy, sending, decision);
      const reason = [status, type ?? 'broken off'].join(' ').trim();
      notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: decision.next?.isRequested, reason });
      await clock.sleep(ms, signal);
    }
  } catch (error) {
    throw explainEnd(error, policy.identity, readState(sending), call);
  }
}

const readState = ({ attempts, isOpen, mayHaveRun }: Progress) => ({ attempts, isOpen: isOpen || mayHaveRun });

/** Waits for a free place, and returns the headers of the next attempt. Throws if the call can't be sent. */
async function prepareAttempt<Identity>(
  call: Call<Client<Identity>>,
  policy: Policy<Identity, unknown>,
  sending: Sending,
): Promise<{ headers: Record<string, string>; release: (() => void) | undefined }> {
  const { client, signal, endsAt, maxWaitMs } = call;
  const { clock } = client;
  const { url, expiry } = policy;
  const queuedAt = readElapsed(clock);
  const release = await policy.acquire?.(sending.isAdmitted ? Number.POSITIVE_INFINITY : maxWaitMs - sending.waitedMs);
  sending.waitedMs += readElapsed(clock) - queuedAt;
  try {
    call.access ??= await readAccess(call, policy, sending);
    const { headers: own, secret } = call.access;
    const headers = mergeHeaders(call.headers, policy.headers, own);
    const refuse = (message: string): Error => refuseCall(call, policy, sending, message);
    if (typeof headers === 'string')
      throw refuse(
        headers in own
          ? 'the credential cannot be sent'
          : `the header ${headers} cannot be sent: headers must be an object of one-line texts`,
      );
    if (!reachable.test(url)) throw refuse('the address must be http or https, without a user name');
    signal?.throwIfAborted();
    if (expiry !== undefined && clock.now() >= expiry.at) throw refuse(expiry.message);
    if (readElapsed(clock) >= endsAt) throw new DeadlinePassed();
    call.secrets.add(secret);
    sending.attempts += 1;
    return { headers, release };
  } catch (error) {
    release?.();
    throw error;
  }
}

function refuseCall<Identity>(
  { client }: Call<Client<Identity>>,
  { identity }: Policy<Identity, unknown>,
  sending: Sending,
  message: string,
  cause?: unknown,
): Error {
  return client.fail(identity, { kind: 'local', message, cause, ...readState(sending) });
}

async function readAccess<Identity>(
  call: Call<Client<Identity>>,
  policy: Policy<Identity, unknown>,
  sending: Sending,
): Promise<Access> {
  const { clock, credential } = call.client;
  const reading = credential.read().catch((cause: unknown) => {
    throw refuseCall(call, policy, sending, 'the credential cannot be read', cause);
  });
  return credential.isFixed ? reading : within(reading, { ...call, clock });
}

/**
 * Returns true if the next attempt has another credential after a 401. Only once in a row, because the service may also
 * refuse the new one; a later token may expire during a long run as well.
 */
async function renewCredential<Identity>(
  call: Call<Client<Identity>>,
  policy: Policy<Identity, unknown>,
  sending: Sending,
  status: number | undefined,
): Promise<boolean> {
  const { credential } = call.client;
  if (status !== 401) sending.isRenewed = false;
  if (status !== 401 || sending.isRenewed || policy.isRepeatable === false || credential.isFixed) return false;
  const refused = call.access?.secret;
  sending.isRenewed = true;
  call.access = await readAccess(call, policy, sending);
  return call.access.secret !== refused;
}

/** Returns the wait before the next attempt. Throws if there is none. */
function planRetry<Identity>(
  call: Call<Client<Identity>>,
  policy: Policy<Identity, unknown>,
  sending: Sending,
  { error, next }: Failed,
): number {
  const { clock, budget } = call.client;
  const { expiry } = policy;
  if (next === undefined) throw error;
  if (!next.isRequested) {
    sending.repetitions += 1;
    const price = policy.isAdmitted ? 0 : repetitionPrice;
    if (sending.repetitions >= call.maxAttempts || budget.left < price) throw error;
    budget.left -= price;
  }
  // Back off for `Retry-After: 0` or a past date, because such a response uses up no attempt.
  const ms = waitMs(next.ms || undefined, sending.attempts, clock);
  sending.waitedMs += ms;
  if (!sending.isAdmitted && sending.waitedMs > call.maxWaitMs) throw error;
  if (readElapsed(clock) + ms >= call.endsAt)
    throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
  if (expiry !== undefined && clock.now() + ms >= expiry.at)
    throw refuseCall(call, policy, sending, expiry.message, error);
  return ms;
}

/** Returns the event of an attempt; empty without observers and middleware. */
function describeAttempt<Identity>(
  call: Call<Client<Identity>>,
  { method = 'GET', url, facts }: Policy<Identity, unknown>,
  { attempts: attempt }: Progress,
  more: object,
  attributes: object,
): object {
  if (call.client.parts.length === 0) return {};
  const request = {
    'http.request.method': method,
    'url.full': call.redact(url),
    'http.request.resend_count': attempt - 1,
  };
  return { callId: call.id, attempt, ...facts, ...more, attributes: { ...request, ...present(attributes) } };
}

function decideLoss<Identity>(
  client: Client<Identity>,
  { identity, isRepeatable, isPoll = false, isBilled }: Policy<Identity, unknown>,
  { isUnsent, isFinal, ...loss }: Loss,
  { attempts, mayHaveRun }: Progress,
): Decision<never> {
  const next = isRepeatable === false || isFinal ? undefined : { isRequested: isPoll };
  const failure = { ...loss, attempts, isRetryable: next !== undefined, isOpen: mayHaveRun || !isUnsent };
  return { type: loss.kind, error: client.fail(identity, failure), next, mayHaveRun: isBilled === true && !isUnsent };
}

/** Sends one attempt. Doesn't follow redirects, which would send the credential to an origin of somebody else. */
async function sendOnce<Identity>(
  call: Call<Client<Identity>>,
  { method = 'GET', url, isStream, body = null, timeoutMs = 60_000, maxBytes }: Policy<Identity, unknown>,
  progress: Progress,
  headers: Record<string, string>,
  event: object,
): Promise<Answer | Loss> {
  const { client, signal, endsAt } = call;
  const { clock, fetch: transport, maxResponseBytes, parts } = client;
  const controller = new AbortController();
  const end = (why?: unknown): void => controller.abort(why);
  const hasCache = method === 'GET' && typeof Request === 'function' && 'cache' in Request.prototype;
  const cache = hasCache ? ({ cache: 'no-store' } as const) : {};
  const init = { method, headers, body, redirect: 'manual', signal: controller.signal, ...cache } as const;
  let isSent = false;
  const fetch = applyMiddleware(
    (address, options) => {
      isSent = true;
      progress.isOpen = true;
      // Not called as a method, because the `fetch` of browsers needs its own `this`.
      return transport ? transport(address, options) : globalThis.fetch(address, { ...options, ...liftTimeouts() });
    },
    parts,
    event,
  );
  const receive = async (answering: Promise<Response>): Promise<Answer> => {
    const response = await answering;
    // Such as a middleware without `return`. The request may have been sent, so this is a lost response.
    if (!response?.headers?.get) throw new Error('fetch or a middleware returned no Response');
    if (isStream && response.ok && response.status < 202) return { response, body: { kind: 'stream' }, end };
    // An incomplete body must not hide the status and the headers (MR-ERR-24, MR-ERR-25).
    const receipt = readBody(response, maxBytes ?? maxResponseBytes).catch((cause: unknown): Body => {
      return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
    });
    return { response, body: await receipt, end };
  };
  try {
    const time = { clock, signal, endsAt, ...call.attemptEnd };
    const answer = await within(receive(fetch(url, init)), time, call.attemptTimeoutMs ?? timeoutMs);
    progress.isOpen = false;
    return answer;
  } catch (cause) {
    end(cause);
    signal?.throwIfAborted();
    if (cause instanceof DeadlinePassed && cause.limitMs === undefined) throw cause; // The whole call has timed out.
    const loss = explainLoss(cause, isSent, call.redact);
    progress.isOpen = isSent && !loss.isUnsent;
    return loss;
  }
}

/**
 * Returns the headers of a request; later ones replace earlier ones. Returns the name of a header that is invalid.
 * Not by the platform's `Headers`, which would take longer than the rest of the call.
 */
function mergeHeaders(...parts: readonly (GivenHeaders | undefined)[]): Record<string, string> | string {
  const all: Record<string, string> = {};
  for (const part of parts)
    for (const name of Object.keys(part ?? {})) {
      const value: unknown = part?.[name];
      if (value === undefined) continue;
      const isSendable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string';
      if (!isSendable || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())) return name;
      all[name.toLowerCase()] = value.trim();
    }
  return all;
}

/** Returns the error of a call for a deadline or an abort; returns any other error unchanged. */
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
  const message = `not ${state.attempts ? 'finished' : 'sent'} within ${deadlineMs} ms${detail}`;
  return client.fail(identity, { ...facts, kind: 'timeout', deadlineMs, message, cause });
}

/** Node's error codes for a request without a connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** Codes of a connection that would fail again: certificate, TLS version, no TLS, or a port that `fetch` blocks. */
const unfit = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)/;

function explainCause(cause: unknown): { code: string; isUnsent: boolean; isFinal: boolean } {
  const { cause: inner = cause }: { cause?: unknown } = Object(cause);
  const { message = cause, code: given = message, syscall }: { [name: string]: unknown } = Object(inner);
  const code = String(given);
  const isFinal = unfit.test(code);
  return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}

/** Explains why an attempt got no response. */
export function explainLoss(lost: unknown, isSent: boolean, redact: Redactor): Loss {
  const cause = redactCause(lost, redact);
  if (lost instanceof DeadlinePassed) {
    const { limitMs: deadlineMs = 0 } = lost;
    const message = `no answer within ${deadlineMs} ms`;
    return { kind: 'timeout', message, cause, deadlineMs, isUnsent: false, isFinal: false };
  }
  if (!isSent || refusesSignal(lost)) {
    const message = `it was not sent: ${redact(String(Object(lost).message ?? lost))}`;
    return { kind: 'local', message, cause, isUnsent: true, isFinal: true };
  }
  const { code, isUnsent, isFinal } = explainCause(lost);
  const message = `${isUnsent ? 'no connection to the server' : 'no response'} (${redact(code)})`;
  return { kind: 'network', message, cause, isUnsent, isFinal };
}

/** True if the platform's `fetch` rejects the program's signals, as Node's rejects those of jsdom. Nothing was sent. */
function refusesSignal(lost: unknown): boolean {
  if (!(lost instanceof TypeError) || lost.cause !== undefined || typeof Request !== 'function') return false;
  try {
    return new Request('http://localhost/', { signal: new AbortController().signal }) === undefined;
  } catch {
    return true;
  }
}
