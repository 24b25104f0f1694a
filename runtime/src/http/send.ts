import { reachable } from './base-url.ts';
import { type Call, type Client, mostBudget, repetitionPrice } from './call.ts';
import { DeadlinePassed, readElapsed, waitMs, within } from './clock.ts';
import type { Access } from './credential.ts';
import { notifyAll, passThrough } from './observers.ts';
import { present } from './present.ts';
import { type Body, readBody } from './read-body.ts';
import { redactValue } from './redact-value.ts';
import { type GivenHeaders, mergeHeaders } from './transport.ts';

/** A request that is sent until its outcome is known. */
export type Question<Identity> = {
  readonly identity: Identity;
  /** What events of an attempt say of it. */
  readonly facts: object;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: GivenHeaders;
  readonly body?: string | undefined;
  /** Of one attempt; a minute by default. */
  readonly timeoutMs?: number;
  /** Of a body; the client's `maxResponseBytes` by default. */
  readonly maxBytes?: number;
  /** Leaves the body of a 200 or 201 to the caller. */
  readonly isStream?: boolean | undefined;
  /** Whether it may be sent again at all. */
  readonly isRepeatable?: boolean;
  /** The service works on it already, so that waiting for it costs nothing. */
  readonly isAdmitted?: boolean;
  /** Of a key: when nothing may be sent with it any more, by the wall clock, and what that is called. */
  readonly expiry?: { readonly at: number; readonly message: string } | undefined;
};

/** What has become of a question so far. */
export type Progress = {
  /** How often it was sent. */
  attempts: number;
  /** The address without secrets, for observers. */
  shownUrl: string;
  /** When the latest attempt began. */
  sentAt: number;
  /** How many repetitions count. */
  repetitions: number;
  waitedMs: number;
  /** An attempt is under way, or may have reached what is billed: nothing that comes later takes that back. */
  isOpen: boolean;
  mayHaveRun: boolean;
  isAdmitted: boolean;
};

/** A response with its body, of which a stream can be ended. */
export type Answer = { readonly response: Response; readonly body: Body; readonly end: (why?: unknown) => void };
/** An attempt without an answer. */
export type Loss = {
  readonly kind: 'network' | 'timeout' | 'local';
  readonly message: string;
  readonly cause: unknown;
  readonly deadlineMs: number;
  /** Nothing reached the service. */
  readonly isUnsent: boolean;
  /** It will be so again. */
  readonly isFinal: boolean;
};

/** What follows an attempt. As `isTold` by the server, a repetition uses up no attempt. Without `seconds`, back off. */
export type Decision<Result> = {
  /** For observers. */
  readonly facts?: object | undefined;
  /** For observers: the category of an error. */
  readonly type?: string | undefined;
} & (
  | { readonly result: Result }
  | {
      readonly error: Error;
      readonly next: { readonly isTold: boolean; readonly seconds?: number | undefined } | undefined;
      readonly mayHaveRun?: boolean;
      readonly isAdmitted?: boolean;
    }
);

/** What an API makes of attempts. */
export type Policy<Result> = {
  readonly decide: (attempt: Answer | Loss, progress: Progress) => Decision<Result>;
  /** Waits for a place, for so long at most; what it gives leaves the place. */
  readonly enter?: ((limitMs: number) => Promise<() => void>) | undefined;
};

/** Sends a question until its outcome is known. Rejects with errors of its client only. */
export async function send<Result, Identity>(
  question: Question<Identity>,
  policy: Policy<Result>,
  call: Call<Client<Identity>>,
): Promise<Result> {
  const { clock, budget, parts } = call.client;
  const { isAdmitted = false, expiry } = question;
  const progress: Progress = {
    attempts: 0,
    shownUrl: '',
    sentAt: 0,
    repetitions: 0,
    waitedMs: 0,
    isOpen: false,
    mayHaveRun: false,
    isAdmitted,
  };
  const expire = (cause?: unknown): Error =>
    call.client.fail(question.identity, {
      kind: 'local',
      message: expiry?.message ?? '',
      ...openness(progress),
      cause,
    });
  let isRenewed = false;
  try {
    for (;;) {
      const enteredAt = readElapsed(clock);
      const leave = await policy.enter?.(
        progress.isAdmitted ? Number.POSITIVE_INFINITY : call.maxWaitMs - progress.waitedMs,
      );
      progress.waitedMs += readElapsed(clock) - enteredAt;
      const attempt = await tryOnce(question, progress, expire, call).finally(leave);
      const decision = policy.decide(attempt, progress);
      const event = describeAttempt(question, progress, call, { attempt, decision });
      notifyAll(parts, 'onResponse', event);
      if ('result' in decision) {
        budget.left = Math.min(mostBudget, budget.left + (progress.repetitions > 0 ? repetitionPrice : 1));
        return decision.result;
      }
      progress.mayHaveRun ||= decision.mayHaveRun === true;
      progress.isAdmitted ||= decision.isAdmitted === true;
      // A token that was renewed meanwhile was not refused. The call keeps to one that works.
      if ('response' in attempt && attempt.response.status === 401 && question.isRepeatable !== false && !isRenewed) {
        isRenewed = true;
        if (await renewAccess(question, progress, call)) continue;
      }
      const ms = planWait(decision, question, progress, call);
      if (expiry !== undefined && clock.now() + ms >= expiry.at) throw expire(decision.error);
      const status = 'response' in attempt ? `${attempt.response.status} ` : '';
      const reason = `${status}${decision.type ?? 'broken off'}`;
      notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: decision.next?.isTold, reason });
      await clock.sleep(ms, call.signal);
    }
  } catch (error) {
    throw explainEnd(error, question.identity, openness(progress), call);
  }
}

/** How long to wait before a question is sent again. Throws the error of the attempt where it is not. */
function planWait<Identity>(
  { error, next }: Extract<Decision<never>, { error: Error }>,
  { isAdmitted }: Question<Identity>,
  progress: Progress,
  { client: { clock, budget }, maxAttempts, maxWaitMs, endsAt }: Call<Client<Identity>>,
): number {
  if (next === undefined) throw error;
  if (!next.isTold) {
    progress.repetitions += 1;
    const price = isAdmitted ? 0 : repetitionPrice; // what was admitted goes on
    if (progress.repetitions >= maxAttempts || budget.left < price) throw error;
    budget.left -= price;
  }
  // Zero seconds, or a date in the past, name no time: it backs off, since such an answer uses up no attempt.
  const ms = waitMs(next.seconds || undefined, progress.attempts, clock);
  progress.waitedMs += ms;
  if (!progress.isAdmitted && progress.waitedMs > maxWaitMs) throw error;
  if (readElapsed(clock) + ms < endsAt) return ms;
  throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
}

/** One attempt. Redirects are not followed: one would carry the credential to a place that its owner did not choose. */
async function tryOnce<Identity>(
  question: Question<Identity>,
  progress: Progress,
  expire: () => Error,
  call: Call<Client<Identity>>,
): Promise<Answer | Loss> {
  const { client, signal, secrets } = call;
  const { method = 'GET', url, body = null, timeoutMs = 60_000, maxBytes = client.maxResponseBytes, expiry } = question;
  const access = call.access ?? (await readAccess(question.identity, progress, call));
  call.access = access;
  const headers = mergeHeaders(call.headers, question.headers, access.headers);
  const refuse = (message: string): Error =>
    client.fail(question.identity, { kind: 'local', message, ...openness(progress) });
  if (typeof headers === 'string')
    throw refuse(
      headers in access.headers ? `the credential cannot be sent in a header` : `the header ${headers} cannot be sent`,
    );
  if (!reachable.test(url)) throw refuse('the address is none of http or https without a user name');
  signal?.throwIfAborted();
  if (expiry !== undefined && client.clock.now() >= expiry.at) throw expire();
  if (readElapsed(client.clock) >= call.endsAt) throw new DeadlinePassed();
  secrets.add(access.secret);
  progress.attempts += 1;
  progress.sentAt = readElapsed(client.clock);
  const event = describeAttempt(question, progress, call);
  notifyAll(client.parts, 'onRequest', event);
  const controller = new AbortController();
  let isSent = false;
  const receive = async (): Promise<Answer> => {
    const fetch = passThrough(
      (to, init) => {
        isSent = true;
        progress.isOpen = true;
        return client.fetch(to, init);
      },
      client.parts,
      event,
    );
    const cache = method === 'GET' && hasCache ? ({ cache: 'no-store' } as const) : {};
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: controller.signal,
      ...cache,
    });
    const end = (why?: unknown): void => controller.abort(why);
    if (question.isStream && response.ok && response.status < 202) return { response, body: { kind: 'stream' }, end };
    // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
    const receipt = readBody(response, maxBytes).catch((cause: unknown): Body => {
      return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
    });
    return { response, body: await receipt, end };
  };
  try {
    const time = { clock: client.clock, signal, endsAt: call.endsAt };
    const answer = await within(receive(), time, call.attemptTimeoutMs ?? timeoutMs);
    progress.isOpen = progress.mayHaveRun;
    return answer;
  } catch (cause) {
    controller.abort(cause);
    signal?.throwIfAborted();
    if (cause instanceof DeadlinePassed && cause.limitMs === undefined) throw cause; // the whole call is over
    const loss = explainLoss(cause, isSent, call);
    progress.isOpen = progress.mayHaveRun || (isSent && !loss.isUnsent);
    return loss;
  }
}

const hasCache = typeof Request === 'function' && 'cache' in Request.prototype;

const openness = ({ isOpen, mayHaveRun, attempts }: Progress) => ({ isOpen: isOpen || mayHaveRun, attempts });

function describeAttempt<Identity>(
  { method = 'GET', url, facts }: Question<Identity>,
  progress: Progress,
  call: Call<Client<Identity>>,
  end?: { readonly attempt: Answer | Loss; readonly decision: Decision<unknown> },
) {
  const { attempts, sentAt } = progress;
  progress.shownUrl ||= call.redact(url); // as it is the same for all attempts
  const status = end && 'response' in end.attempt ? end.attempt.response.status : undefined;
  const attributes = {
    'http.request.method': method,
    'url.full': progress.shownUrl,
    'http.request.resend_count': attempts - 1,
    ...present({ 'http.response.status_code': status, 'error.type': end?.decision.type }),
  };
  const ended = end && { facts: end.decision.facts, durationMs: readElapsed(call.client.clock) - sentAt };
  return { callId: call.id, attempt: attempts, ...facts, ...ended, attributes };
}

/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
async function readAccess<Identity>(
  identity: Identity,
  progress: Progress,
  { client, signal, endsAt }: Call<Client<Identity>>,
): Promise<Access> {
  const { credential, clock, fail } = client;
  const reading = credential.read().catch((cause: unknown) => {
    throw fail(identity, { kind: 'local', message: 'the credential cannot be read', cause, ...openness(progress) });
  });
  return credential.isFixed ? reading : within(reading, { clock, signal, endsAt });
}

/** Whether there is another secret than the one that was refused. */
async function renewAccess<Identity>(
  { identity }: Question<Identity>,
  progress: Progress,
  call: Call<Client<Identity>>,
): Promise<boolean> {
  if (call.client.credential.isFixed) return false;
  const access = await readAccess(identity, progress, call);
  const isOther = access.secret !== call.access?.secret;
  call.access = access;
  return isOther;
}

/** What a call rejects with where a wait of it ended with `error`. */
export function explainEnd<Identity>(
  error: unknown,
  identity: Identity,
  state: {
    readonly attempts: number;
    readonly isOpen: boolean;
    readonly status?: number;
    readonly requestId?: string | undefined;
  },
  { client, signal, deadlineMs: wholeMs, redact }: Call<Client<Identity>>,
): unknown {
  const facts = { isRetryable: true, ...state };
  if (signal?.aborted)
    return client.fail(identity, { ...facts, kind: 'aborted', message: 'aborted', cause: redactValue(error, redact) });
  if (!(error instanceof DeadlinePassed)) return error;
  const { limitMs: deadlineMs = wholeMs, cause, message: detail } = error;
  const message = `not ${state.attempts > 0 ? 'finished' : 'sent'} within ${deadlineMs} ms${detail}`;
  return client.fail(identity, { ...facts, kind: 'timeout', deadlineMs, message, cause });
}

/** What Node says of a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same of a connection that will not do the next time either: its certificate, another TLS or none, or a port that `fetch` refuses. */
const unfit = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)/;

/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
function explainCause(cause: unknown): { code: string; isUnsent: boolean; isFinal: boolean } {
  const { cause: inner = cause }: { cause?: unknown } = Object(cause);
  const { message = cause, code: given = message, syscall }: { [name: string]: unknown } = Object(inner);
  const code = String(given);
  const isFinal = unfit.test(code);
  return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}

/** Why an attempt has no answer. */
export function explainLoss(lost: unknown, isSent: boolean, { redact }: Pick<Call<Client<never>>, 'redact'>): Loss {
  const cause = redactValue(lost, redact);
  if (lost instanceof DeadlinePassed) {
    const { limitMs: deadlineMs = 0 } = lost;
    return {
      kind: 'timeout',
      message: `no answer within ${deadlineMs} ms`,
      cause,
      deadlineMs,
      isUnsent: false,
      isFinal: false,
    };
  }
  const words = redact(String(Object(lost).message ?? lost));
  if (!isSent || refusesSignal(lost))
    return { kind: 'local', message: `it was not sent: ${words}`, cause, deadlineMs: 0, isUnsent: true, isFinal: true };
  const { code, isUnsent, isFinal } = explainCause(lost);
  const message = `${isUnsent ? 'no connection to the server' : 'no response'} (${redact(code)})`;
  return { kind: 'network', message, cause, deadlineMs: 0, isUnsent, isFinal };
}

/** Whether this platform's `fetch` refuses the signals of this program, as Node's does those of jsdom: nothing was sent then. */
function refusesSignal(lost: unknown): boolean {
  if (!(lost instanceof TypeError) || lost.cause !== undefined || typeof Request !== 'function') return false;
  try {
    return new Request('http://localhost/', { signal: new AbortController().signal }) === undefined;
  } catch {
    return true;
  }
}
