import { DeadlinePassed, readElapsed, waitMs, within } from './clock.ts';
import { type CallOptions, type Connection, mostBudget, repetitionPrice, type WorkOf } from './connection.ts';
import type { Credential } from './credential.ts';
import { notifyAll, passThrough } from './observers.ts';
import { type Sent, send } from './send.ts';

/** A request that is sent until its outcome is known. */
export type Sending = {
  /** What events of an attempt say of its call. */
  readonly facts: object;
  /** `GET` by default. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of one attempt; a minute by default. */
  readonly timeoutMs?: number;
  /** Of a body; the client's `maxResponseBytes` by default. */
  readonly maxBytes?: number;
  /** Leaves the body of a success to the caller. */
  readonly stream?: boolean | undefined;
  /** Of the first attempt's credential, which all attempts of a key have to use. */
  readonly owner?: string;
  readonly queued?: unknown;
  /** How often it was sent. */
  attempts: number;
  /** The service works on it, so that waiting for it costs nothing. */
  isAdmitted: boolean;
};

/**
 * What follows an attempt that failed; nothing where it is final. As `isTold` by the server, a repetition uses up no attempt.
 * Without `seconds`, back off.
 */
export type NextStep = { readonly isTold: boolean; readonly seconds?: number | undefined } | undefined;

/** What one attempt came to. */
export type Verdict<Result> = {
  /** For observers. */
  readonly event: {
    readonly facts?: object | undefined;
    readonly attributes: { readonly [name: string]: string | number };
  };
} & ({ readonly result: Result } | { readonly error: Error; readonly next: NextStep });

/** What an API makes of attempts. */
export type Dialect<Result> = {
  readonly read: (sent: Exclude<Sent, { kind: 'unsendable' }>) => Verdict<Result>;
  /** Waits for a place, for so long at most; what it gives leaves the place. */
  readonly enter?: ((limitMs: number) => Promise<() => void>) | undefined;
};

type Work = WorkOf<Connection, CallOptions>;

/** Sends a request until its outcome is known. Throws errors of its client only. */
export async function perform<Result>(call: Sending, dialect: Dialect<Result>, work: Work): Promise<Result> {
  const { clock, budget, maxWaitMs, parts } = work;
  const spent = { counted: 0, waitedMs: 0 };
  try {
    for (;;) {
      const startedAt = readElapsed(clock);
      const leave = await dialect.enter?.(call.isAdmitted ? Number.POSITIVE_INFINITY : maxWaitMs - spent.waitedMs);
      spent.waitedMs += readElapsed(clock) - startedAt;
      const { verdict, event } = await attempt(call, dialect, work).finally(leave);
      if ('result' in verdict) {
        budget.left = Math.min(mostBudget, budget.left + (spent.counted > 0 ? repetitionPrice : 1));
        return verdict.result;
      }
      const ms = planWait(call, verdict, spent, work);
      const { 'http.response.status_code': status = '', 'error.type': type = 'broken off' } = event.attributes;
      const reason = `${status} ${type}`.trim();
      notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: verdict.next?.isTold, reason });
      await clock.sleep(ms, work.signal);
    }
  } catch (error) {
    throw explainEnd(error, call, work);
  }
}

/** How long to wait before a request is sent again. Throws the error of the attempt where it is not. */
function planWait(
  { attempts, isAdmitted, queued }: Sending,
  { error, next }: { readonly error: Error; readonly next: NextStep },
  spent: { counted: number; waitedMs: number },
  { clock, budget, maxAttempts, maxWaitMs, endsAt }: Work,
): number {
  if (next === undefined) throw error;
  if (!next.isTold) {
    spent.counted += 1;
    const price = queued === undefined ? repetitionPrice : 0; // what was admitted goes on
    if (spent.counted >= maxAttempts || budget.left < price) throw error;
    budget.left -= price;
  }
  const ms = waitMs(next.seconds, attempts, clock);
  spent.waitedMs += ms;
  if (!isAdmitted && spent.waitedMs > maxWaitMs) throw error;
  if (readElapsed(clock) + ms < endsAt) return ms;
  throw new DeadlinePassed(`; the last attempt: ${error.message}`, { cause: error });
}

async function attempt<Result>(call: Sending, { read }: Dialect<Result>, work: Work) {
  const { clock, signal, endsAt, parts, idleTimeoutMs } = work;
  signal.throwIfAborted();
  if (readElapsed(clock) >= endsAt) throw new DeadlinePassed();
  const { headers: credential, owner } = await readCredential(call, work);
  if (call.owner !== undefined && call.owner !== owner)
    throw work.fail(call, 'the key was first sent with another credential; set credentialScope if both have one owner');
  const { method = 'GET', url, headers, body } = call;
  const attributes = {
    'http.request.method': method,
    'url.full': work.credential.redact(url),
    'http.request.resend_count': call.attempts,
  };
  call.attempts += 1;
  const facts = { callId: work.callId, attempt: call.attempts, ...call.facts };
  const startedAt = readElapsed(clock);
  notifyAll(parts, 'onRequest', { ...facts, attributes });
  const usualMs = work.attemptTimeoutMs ?? call.timeoutMs ?? 60_000;
  const timeoutMs = Math.max(1, Math.min(usualMs, endsAt - startedAt));
  const explain = (cause: unknown): unknown => {
    const end = explainEnd(cause, call, work);
    const lost = end === cause ? read({ kind: 'lost', cause }) : {};
    return 'error' in lost ? lost.error : end;
  };
  const sent = await send({
    method,
    url,
    headers: [work.headers, headers, credential].flatMap((one) => Object.entries(one ?? {})),
    body: body ?? null,
    fetch: passThrough(work.fetch, parts, facts),
    signal,
    timeoutMs,
    maxBytes: call.maxBytes ?? work.maxResponseBytes,
    stream: call.stream === true ? { deadlineMs: endsAt - startedAt, idleMs: idleTimeoutMs, explain } : undefined,
  });
  if (sent.kind === 'unsendable') {
    call.attempts -= 1;
    throw work.fail(call, 'the address, a header or the credential is not one that can be sent');
  }
  const verdict = read(sent);
  const event = {
    ...facts,
    ...verdict.event,
    durationMs: readElapsed(clock) - startedAt,
    attributes: { ...attributes, ...verdict.event.attributes } as Verdict<Result>['event']['attributes'],
  };
  notifyAll(parts, 'onResponse', event);
  if (sent.kind === 'lost' && sent.timeoutMs !== undefined && timeoutMs < usualMs) throw new DeadlinePassed();
  return { verdict, event };
}

/** What a call throws where a wait of it ended with `error`. */
export function explainEnd(error: unknown, call: { readonly attempts?: number }, work: Work): unknown {
  const { attempts = 0 } = call;
  const facts = { isRetryable: true, isOpen: attempts > 0 };
  if (work.signal.aborted) return work.fail(call, 'aborted', { ...facts, kind: 'aborted', cause: error });
  if (!(error instanceof DeadlinePassed)) return error;
  const { limitMs: deadlineMs = work.deadlineMs, cause, message } = error;
  // The error of an attempt that had ended stands behind a wait that would have been too long: nothing was under way then.
  const isOpen = attempts > 0 && cause === undefined;
  const text = `not ${attempts === 0 ? 'sent' : 'finished'} within ${deadlineMs} ms${message}`;
  return work.fail(call, text, { ...facts, isOpen, kind: 'timeout', deadlineMs, cause });
}

/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
export function readCredential(call: object, work: Work): ReturnType<Credential['current']> {
  const { credential, signal, endsAt, clock, fail } = work;
  const current = credential.current().catch((cause: unknown) => {
    throw fail(call, 'the credential cannot be read', { cause });
  });
  return credential.isFixed ? current : within(current, { signal, ms: endsAt - readElapsed(clock) });
}

/** What Node says of a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same of a connection that will not do the next time either: its certificate, no TLS at all, or a port that `fetch` refuses. */
const unfit =
  /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(WRONG_V|PACKET_L|UNSUPPORTED_P)|bad port$)/;

/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
export function explainCause(cause: unknown): { code: string; isUnsent: boolean; isFinal: boolean } {
  const { cause: inner = cause } = Object(cause) as { cause?: unknown };
  const { message = cause, code: given = message, syscall } = Object(inner) as { [name: string]: unknown };
  const code = String(given);
  const isFinal = unfit.test(code);
  return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}

/** The same of a lost attempt, in words and with its kind. */
export function explainLoss({ cause, timeoutMs }: Extract<Sent, { kind: 'lost' }>): ReturnType<typeof explainCause> & {
  readonly text: string;
  readonly kind: { readonly kind: 'network' | 'timeout'; readonly deadlineMs?: number };
} {
  const loss = explainCause(cause);
  const what = loss.isUnsent ? 'no connection to the server' : 'no response';
  return timeoutMs === undefined
    ? { ...loss, text: `${what} (${loss.code})`, kind: { kind: 'network' } }
    : { ...loss, text: `no answer within ${timeoutMs} ms`, kind: { kind: 'timeout', deadlineMs: timeoutMs } };
}
