import { DeadlinePassed, readElapsed, waitMs, within } from './clock.ts';
import { type CallOptions, type Connection, mostBudget, repetitionPrice, type WorkOf } from './connection.ts';
import { type Credential, redactCause } from './credential.ts';
import { explainCause } from './explain-cause.ts';
import { notifyAll, passThrough } from './observers.ts';
import { present } from './present.ts';
import { type Answer, mergeHeaders, send } from './send.ts';

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
  /** Of a stream: what is done when it was read to its end, or was not. */
  whenRead?: (isWhole: boolean) => Promise<void>;
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
      notifyAll(parts, 'onRetry', {
        ...event,
        waitMs: ms,
        asTold: verdict.next?.isTold,
        reason: `${status} ${type}`.trim(),
      });
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

async function attempt<Result>(call: Sending, { read, lose }: Dialect<Result>, work: Work) {
  const { clock, parts, signal, endsAt } = work;
  const credential = await readCredential(call, work);
  if (call.owner !== undefined && call.owner !== credential.owner)
    throw work.fail(call, 'the key was first sent with another credential; set credentialScope if both have one owner');
  const { method = 'GET', url, body = null } = call;
  const headers = mergeHeaders(work.headers, call.headers, credential.headers);
  if (headers === undefined || !/^https?:\/\/[^/@]+(\/|$)/i.test(url))
    throw work.fail(call, 'the address, a header or the credential is not one that can be sent');
  signal.throwIfAborted();
  const startedAt = readElapsed(clock);
  if (startedAt >= endsAt) throw new DeadlinePassed();
  const attributes = {
    'http.request.method': method,
    'url.full': work.credential.redact(url),
    'http.request.resend_count': call.attempts,
  };
  call.attempts += 1;
  const facts = { callId: work.callId, attempt: call.attempts, ...call.facts };
  notifyAll(parts, 'onRequest', { ...facts, attributes });
  const explain = (cause: unknown): unknown => {
    const end = explainEnd(cause, call, work);
    return end === cause ? lose(cause).error : end;
  };
  const fetch = passThrough(work.fetch, parts, facts);
  const sent = send((init) => fetch(url, { method, headers, body, ...init }), work, {
    limitMs: work.attemptTimeoutMs ?? call.timeoutMs ?? 60_000,
    maxBytes: call.maxBytes ?? work.maxResponseBytes,
    stream: call.stream
      ? { idleMs: work.idleTimeoutMs, explain, finish: (isWhole) => call.whenRead?.(isWhole) }
      : undefined,
  });
  let end: unknown;
  let status: number | undefined;
  const verdict: Verdict<Result> = await sent.then(
    (answer) => {
      status = answer.response.status;
      return read(answer);
    },
    (cause: unknown) => {
      signal.throwIfAborted();
      if (cause instanceof DeadlinePassed && cause.limitMs === undefined) end = cause;
      return lose(cause);
    },
  );
  const event = {
    ...facts,
    facts: verdict.facts,
    durationMs: readElapsed(clock) - startedAt,
    attributes: { ...attributes, ...present({ 'http.response.status_code': status, 'error.type': verdict.type }) },
  };
  notifyAll(parts, 'onResponse', event);
  if (end !== undefined) throw end;
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
  const { credential, fail } = work;
  const current = credential.current().catch((cause: unknown) => {
    throw fail(call, 'the credential cannot be read', { cause });
  });
  return credential.isFixed ? current : within(current, work);
}

/** What an attempt without an answer says, as the facts of an error with its words. */
export function explainLoss(lost: unknown, redact: (text: string) => string) {
  const { code, isUnsent, isFinal } = explainCause(lost);
  const cause = redactCause(lost, redact);
  const facts = { redact, cause, isOpen: !isUnsent };
  const text = isUnsent ? 'no connection to the server' : 'no response';
  return lost instanceof DeadlinePassed
    ? {
        text: `no answer within ${lost.limitMs} ms`,
        isFinal,
        facts: { ...facts, kind: 'timeout', deadlineMs: lost.limitMs },
      }
    : { text: `${text} (${code})`, isFinal, facts: { ...facts, kind: 'network' } };
}
