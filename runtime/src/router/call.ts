import { backoffMs } from '../http/clock.ts';
import type { ReadBody } from '../http/read-body.ts';
import { type Outgoing, type Sent, send } from '../http/send.ts';
import type { Connection } from './connection.ts';
import {
  answeredFailure,
  type CallIdentity,
  categoryOf,
  localFailure,
  lostFailure,
  stoppedFailure,
} from './failures.ts';
import { notify, type RequestEvent, type ResponseEvent } from './hooks.ts';
import { type AttemptOutcome, nextStep, type Repetition } from './outcome.ts';
import { type ResponseFacts, readResponseFacts } from './response-facts.ts';
import type { RouterError } from './router-error.ts';

export type Call = CallIdentity & {
  readonly repetition: Repetition;
  readonly outgoing: Outgoing;
  /** Whether a status, with its body, is a result and no error. */
  readonly isSuccess: (status: number, body: unknown) => boolean;
  readonly timeoutMs: number;
  /** Leaves the body of a success to the caller. */
  readonly stream?: boolean;
  readonly time: TimeLimit;
  /** Of the first attempt's credential, which all attempts of a key have to use. */
  readonly owner?: string;
};
export type TimeLimit = {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; nothing is sent or waited for after it. */
  readonly endsAt: number;
  /** As the caller gave it, for the error. */
  readonly deadlineMs: number;
};
export type Answer = {
  readonly response: Response;
  readonly status: number;
  readonly body: ReadBody | { readonly kind: 'stream' };
  readonly facts: ResponseFacts;
  readonly attempts: number;
};

type Attempt =
  | { readonly kind: 'success'; readonly answer: Answer }
  | {
      readonly kind: 'failure';
      readonly outcome: AttemptOutcome;
      /** Whether it may be repeated is known only afterwards. */
      readonly error: (isRetryable: boolean) => RouterError;
      readonly event: ResponseEvent;
    };

// A server that answers `Retry-After: 0` for ever must not be asked in a busy loop.
const shortestWaitMs = 250;

/** Sends a call until its outcome is known, as the table of retry outcomes says. Throws a `RouterError`. */
export async function perform(call: Call, connection: Connection): Promise<Answer> {
  const { clock, hooks, maxAttempts } = connection;
  const { signal, endsAt, deadlineMs } = call.time;
  const progress = { sent: 0 };
  try {
    for (let counted = 0; ; ) {
      const attempt = await attemptOnce(call, progress, connection);
      if (attempt.kind === 'success') return attempt.answer;
      const step = nextStep(call.repetition, attempt.outcome);
      if (step.kind === 'retry') counted += 1;
      if (step.kind === 'stop' || counted >= maxAttempts) throw attempt.error(step.kind !== 'stop');
      const waitMs =
        step.seconds === undefined ? backoffMs(progress.sent, clock) : Math.max(shortestWaitMs, step.seconds * 1000);
      if (clock.now() + waitMs >= endsAt)
        throw stoppedFailure(call, { attempts: progress.sent, deadlineMs }, attempt.error(true));
      notify(hooks.onRetry, { ...attempt.event, waitMs, asTold: step.kind === 'wait' });
      await clock.sleep(waitMs, signal);
    }
  } catch (error) {
    if (signal.aborted) throw stoppedFailure(call, { attempts: progress.sent }, error);
    throw error;
  }
}

async function attemptOnce(call: Call, progress: { sent: number }, connection: Connection): Promise<Attempt> {
  const isBilled = call.operation === 'run' || call.operation === 'submit';
  const leave = isBilled ? await connection.limits.enter(call.time.signal) : undefined;
  try {
    const credential = await credentialOf(call, connection);
    progress.sent += 1;
    return await exchange(call, { attempts: progress.sent, credential }, connection);
  } finally {
    leave?.();
  }
}

async function credentialOf(call: Call, { credential }: Connection): Promise<Readonly<Record<string, string>>> {
  const { headers, owner } = await credential.current().catch((cause: unknown) => {
    throw localFailure(call, 'the credential cannot be read', cause);
  });
  if (call.owner === undefined || call.owner === owner) return headers;
  const advice = 'set credentialScope if both have one owner';
  throw localFailure(call, `the key was first sent with another credential; ${advice}`);
}

async function exchange(
  call: Call,
  { attempts, credential }: { attempts: number; credential: Readonly<Record<string, string>> },
  connection: Connection,
): Promise<Attempt> {
  const { clock, hooks } = connection;
  const startedAt = clock.now();
  const request = describe(call, attempts, connection);
  notify(hooks.onRequest, request);
  const { signal, endsAt } = call.time;
  const sent = await send(
    { ...call.outgoing, headers: { ...connection.headers, ...call.outgoing.headers, ...credential } },
    {
      fetch: connection.fetch,
      signal,
      timeoutMs: Math.max(1, Math.min(call.timeoutMs, endsAt - startedAt)),
      stream: call.stream === true,
    },
  );
  const outcome =
    sent.kind === 'lost' ? lost(call, attempts, sent.cause) : received(call, { attempts, sent }, connection);
  const event: ResponseEvent = {
    ...request,
    facts: outcome.facts,
    durationMs: clock.now() - startedAt,
    attributes: { ...request.attributes, ...outcome.attributes },
  };
  notify(hooks.onResponse, event);
  return outcome.kind === 'success' ? outcome : { ...outcome, event };
}

/** What an attempt ended in, before it is reported. */
type Outcome = (Extract<Attempt, { kind: 'success' }> | Omit<Extract<Attempt, { kind: 'failure' }>, 'event'>) & {
  readonly facts: ResponseFacts | undefined;
  readonly attributes: Partial<ResponseEvent['attributes']>;
};

function lost(call: Call, attempts: number, cause: unknown): Outcome {
  const attributes = { 'error.type': 'network' };
  const error = (): RouterError => lostFailure(call, attempts, cause);
  return { kind: 'failure', outcome: { kind: 'lost' }, error, facts: undefined, attributes };
}

function received(
  call: Call,
  { attempts, sent }: { attempts: number; sent: Extract<Sent, { kind: 'answered' }> },
  { brand, limits, credential }: Connection,
): Outcome {
  const { response, body } = sent;
  const { status } = response;
  const facts = readResponseFacts(response.headers, brand);
  const category = categoryOf(response.headers, body, brand);
  const isSuccess = call.isSuccess(status, body.kind === 'json' ? body.value : undefined);
  const attributes = { 'http.response.status_code': status, ...(isSuccess ? {} : { 'error.type': category.known }) };
  limits.noteSpend(facts.committedSpend);
  if (status === 429 && category.known === 'concurrency_limit_exceeded') limits.slowDown(facts.retryAfterSeconds);
  if (isSuccess && body.kind !== 'malformed' && (body.kind !== 'empty' || status === 304))
    return { kind: 'success', answer: { response, status, body, facts, attempts }, facts, attributes };
  // A success that broke off counts as no response: the same key fetches the result again.
  const outcome: AttemptOutcome = isSuccess
    ? { kind: 'lost' }
    : { kind: 'answered', status, category, retryAfterSeconds: facts.retryAfterSeconds };
  const answered = { status, body: body.kind === 'stream' ? ({ kind: 'empty' } as const) : body, facts, category };
  const { redact } = credential;
  const error = (isRetryable: boolean): RouterError =>
    answeredFailure(call, answered, { attempts, isRetryable, isSuccess, redact });
  return { kind: 'failure', outcome, error, facts, attributes };
}

function describe(
  { operation, model, key, outgoing }: Call,
  attempts: number,
  { credential }: Connection,
): RequestEvent {
  return {
    operation,
    model,
    key,
    attributes: {
      'http.request.method': outgoing.method,
      'url.full': credential.redact(outgoing.url),
      'http.request.resend_count': attempts - 1,
    },
  };
}
