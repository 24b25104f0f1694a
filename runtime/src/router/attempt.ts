import { DeadlinePassed, readElapsed } from '../http/clock.ts';
import type { GuardedResponse, StreamEnd, StreamLimits } from '../http/guard-stream.ts';
import { passThrough } from '../http/middleware.ts';
import { notifyAll } from '../http/notify.ts';
import { isMediaType, type ReadBody, readMediaType } from '../http/read-body.ts';
import { type Sent, send } from '../http/send.ts';
import type { KnownCategory } from './categories.ts';
import type { Connection } from './connection.ts';
import {
  answeredFailure,
  type CallIdentity,
  categorise,
  localFailure,
  lostFailure,
  readLoss,
  stoppedFailure,
} from './failures.ts';
import type { RequestEvent, ResponseEvent } from './observers.ts';
import type { AttemptOutcome, Repetition } from './outcome.ts';
import { type ResponseFacts, readResponseFacts } from './response-facts.ts';
import type { RouterError } from './router-error.ts';

export type Call = CallIdentity & {
  readonly repetition: Repetition;
  /** `GET` by default. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether a status, with its body, is a result and no error; 200 by default. */
  readonly isSuccess?: (status: number, body: Answer['body']) => boolean;
  /** Of one attempt; a minute by default. */
  readonly timeoutMs?: number;
  /** Of a body; the client's `maxResponseBytes` by default. */
  readonly maxBytes?: number;
  /** Leaves the body of a success to the caller. */
  readonly stream?: boolean;
  /** Of a queued request: what the status said that it ended with. */
  readonly endsWith?: KnownCategory | undefined;
  readonly time: Deadline;
  /** Of the first attempt's credential, which all attempts of a key have to use. */
  readonly owner?: string;
};
export type Deadline = {
  readonly signal: AbortSignal;
  /** By the elapsed time of the clock; nothing is sent or waited for after it. */
  readonly endsAt: number;
  /** As the caller gave it, for the error. */
  readonly deadlineMs: number;
  /** The shortest time between two questions about a queued request, in milliseconds. */
  readonly pollEvery?: number | undefined;
  /** For how long the call may wait before it is admitted. */
  readonly maxWaitMs: number;
  readonly maxAttempts: number;
  readonly attemptTimeoutMs?: number | undefined;
  /** Added to those of the client. */
  readonly headers: Readonly<Record<string, string>>;
};
export type Answer = {
  readonly response: Response;
  readonly status: number;
  readonly body: ReadBody | { readonly kind: 'stream' };
  readonly facts: ResponseFacts;
  readonly attempts: number;
  /** Of a stream: sets what is done when it was read to its end, or was not. */
  readonly whenRead?: GuardedResponse['whenRead'] | undefined;
};

/** What one attempt of a call ended in. */
export type Attempt =
  | { readonly kind: 'success'; readonly answer: Answer }
  | {
      readonly kind: 'failure';
      readonly outcome: AttemptOutcome;
      /** Whether it may be repeated is known only afterwards. */
      readonly error: (isRetryable: boolean) => RouterError;
      readonly event: ResponseEvent;
    };

/** Sends a call once. */
export async function exchange(
  call: Call,
  { attempts, credential }: { attempts: number; credential: Readonly<Record<string, string>> },
  connection: Connection,
): Promise<Attempt> {
  const { clock, observers } = connection;
  const startedAt = readElapsed(clock);
  const { attributes, ...facts } = describe(call, attempts, connection);
  const request = { ...facts, attributes };
  notifyAll(observers, 'onRequest', request);
  const { method = 'GET', url, headers, body } = call;
  const { signal, endsAt, attemptTimeoutMs } = call.time;
  const usualMs = attemptTimeoutMs ?? call.timeoutMs ?? 60_000;
  const timeoutMs = Math.max(1, Math.min(usualMs, endsAt - startedAt));
  const sent = await send(
    { method, url, headers: { ...headers, ...credential }, body },
    {
      fetch: passThrough(facts, connection),
      headers: { ...connection.headers, ...call.time.headers },
      signal,
      timeoutMs,
      maxBytes: call.maxBytes ?? connection.maxResponseBytes,
      stream: call.stream === true ? limitStream(call, attempts, connection) : undefined,
    },
  );
  if (sent.kind === 'unsendable')
    throw localFailure(call, 'the address, a header or the credential is not one that can be sent', {
      attempts: attempts - 1,
    });
  const outcome =
    sent.kind === 'lost'
      ? lost(call, { attempts, cause: sent.cause, timeoutMs: sent.isTimeout ? timeoutMs : undefined }, connection)
      : received(call, { attempts, sent }, connection);
  const event: ResponseEvent = {
    ...request,
    facts: outcome.facts,
    durationMs: readElapsed(clock) - startedAt,
    attributes: { ...request.attributes, ...outcome.attributes },
  };
  notifyAll(observers, 'onResponse', event);
  if (sent.kind === 'lost' && sent.isTimeout && timeoutMs < usualMs) throw new DeadlinePassed();
  return outcome.kind === 'success' ? outcome : { ...outcome, event };
}

/** A stream is read after its call has returned, and bounded as the call was. */
function limitStream(call: Call, attempts: number, { clock, credential, idleTimeoutMs }: Connection): StreamLimits {
  const { time } = call;
  const running = { ...call, mayHaveRun: true };
  const explain = (end: StreamEnd, cause: unknown): RouterError => {
    if (end === 'lost') return lostFailure(running, { attempts, redact: credential.redact }, cause);
    if (end === 'aborted') return stoppedFailure(running, { attempts }, cause);
    const idle = { attempts, deadlineMs: idleTimeoutMs, reason: 'the stream gave no bytes' };
    return stoppedFailure(running, end === 'idle' ? idle : { attempts, deadlineMs: time.deadlineMs }, cause);
  };
  return { deadlineMs: time.endsAt - readElapsed(clock), idleMs: idleTimeoutMs, explain };
}

/** What an attempt ended in, before it is reported. */
type Outcome = (Extract<Attempt, { kind: 'success' }> | Omit<Extract<Attempt, { kind: 'failure' }>, 'event'>) & {
  readonly facts: ResponseFacts | undefined;
  readonly attributes: Partial<ResponseEvent['attributes']>;
};

function lost(
  call: Call,
  { attempts, cause, timeoutMs }: { attempts: number; cause: unknown; timeoutMs: number | undefined },
  { credential: { redact } }: Connection,
): Outcome {
  const attributes = { 'error.type': timeoutMs === undefined ? 'network' : 'timeout' };
  const error = (): RouterError => lostFailure(call, { attempts, redact, timeoutMs }, cause);
  return { kind: 'failure', outcome: { kind: 'lost', ...readLoss(cause) }, error, facts: undefined, attributes };
}

function received(
  call: Call,
  { attempts, sent }: { attempts: number; sent: Extract<Sent, { kind: 'answered' }> },
  { brand, limits, credential }: Connection,
): Outcome {
  const { response, whenRead } = sent;
  const { status } = response;
  const { redact } = credential;
  const facts = readResponseFacts(response.headers, { brand, redact });
  const body = isUnexpected(call, response, facts) ? leaveUnread(sent) : sent.body;
  const category = categorise(response.headers, body, { brand, redact });
  const isSuccess = call.isSuccess?.(status, body) ?? status === 200;
  const attributes = { 'http.response.status_code': status, ...(isSuccess ? {} : { 'error.type': category.known }) };
  limits.noteSpend(facts.committedSpend);
  if (status === 429 && category.known === 'concurrency_limit_exceeded') limits.slowDown(facts.retryAfterSeconds);
  if (status === 429 && category.known === 'rate_limited') limits.pause(facts.retryAfterSeconds);
  if (isSuccess && !unreadable.includes(body.kind) && (body.kind !== 'empty' || status === 304))
    return { kind: 'success', answer: { response, status, body, facts, attempts, whenRead }, facts, attributes };
  // A success that broke off counts as no response: the same key fetches the result again.
  const outcome: AttemptOutcome = isSuccess
    ? { kind: 'lost', isFinal: body.kind === 'oversized' }
    : { kind: 'answered', status, category, retryAfterSeconds: facts.retryAfterSeconds };
  const answered = {
    location: readLocation(response, redact),
    status,
    body: body.kind === 'stream' ? ({ kind: 'empty' } as const) : body,
    facts,
    category,
  };
  const error = (isRetryable: boolean): RouterError =>
    answeredFailure(call, answered, { attempts, isRetryable, isSuccess, redact });
  return { kind: 'failure', outcome, error, facts, attributes };
}

function readLocation({ status, headers }: Response, redact: (text: string) => string): string | undefined {
  return status >= 300 && status < 400 ? redact(headers.get('location') ?? '') || undefined : undefined;
}

const unreadable: readonly string[] = ['malformed', 'oversized', 'unexpected'];

/** A success of a run that is no output, such as the page of a proxy. */
function isUnexpected({ operation, mediaTypes }: Call, response: Response, { requestId }: ResponseFacts): boolean {
  const mediaType = readMediaType(response.headers);
  if (operation !== 'run' || response.status !== 200 || mediaType === '') return false;
  // Where nothing is known of the model, one sign is not enough: a page shows no header of a response from elsewhere.
  return mediaTypes === undefined
    ? mediaType === 'text/html' && requestId === undefined
    : !isMediaType(mediaType, mediaTypes);
}

function leaveUnread({ response, body }: Extract<Sent, { kind: 'answered' }>): ReadBody {
  if (body.kind === 'stream') void response.body?.cancel().catch(() => undefined); // it may be gone already
  return {
    kind: 'unexpected',
    mediaType: readMediaType(response.headers),
    text: body.kind === 'text' ? body.text : '',
  };
}

function describe(
  { operation, model, key, method = 'GET', url }: Call,
  attempts: number,
  { credential, callId }: Connection,
): RequestEvent {
  return {
    callId,
    attempt: attempts,
    operation,
    model,
    key,
    attributes: {
      'http.request.method': method,
      'url.full': credential.redact(url),
      'http.request.resend_count': attempts - 1,
    },
  };
}
