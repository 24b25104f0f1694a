import { backoffMs } from '../http/clock.ts';
import type { ReadBody } from '../http/read-body.ts';
import { type Outgoing, send } from '../http/send.ts';
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
  let attempts = 0;
  try {
    for (let counted = 0; ; attempts += 1) {
      const attempt = await attemptOnce(call, attempts, connection);
      if (attempt.kind === 'success') return attempt.answer;
      const step = nextStep(call.repetition, attempt.outcome);
      if (step.kind === 'retry') counted += 1;
      if (step.kind === 'stop' || counted >= connection.maxAttempts) throw attempt.error(step.kind !== 'stop');
      const waitMs =
        step.seconds === undefined
          ? backoffMs(attempts + 1, connection.clock)
          : Math.max(shortestWaitMs, step.seconds * 1000);
      if (connection.clock.now() + waitMs >= call.time.endsAt)
        throw stoppedFailure(call, { attempts: attempts + 1, deadlineMs: call.time.deadlineMs }, attempt.error(true));
      notify(connection.hooks.onRetry, { ...attempt.event, waitMs, asTold: step.kind === 'wait' });
      await connection.clock.sleep(waitMs, call.time.signal);
    }
  } catch (error) {
    if (call.time.signal.aborted) throw stoppedFailure(call, { attempts }, error);
    throw error;
  }
}

async function attemptOnce(call: Call, resends: number, connection: Connection): Promise<Attempt> {
  const isBilled = call.operation === 'run' || call.operation === 'submit';
  const leave = isBilled ? await connection.limits.enter(call.time.signal) : undefined;
  try {
    return await exchange(call, resends, connection);
  } finally {
    leave?.();
  }
}

async function exchange(call: Call, resends: number, connection: Connection): Promise<Attempt> {
  const { clock, hooks, credential, brand } = connection;
  const { headers, owner } = await credential.current();
  if (call.owner !== undefined && call.owner !== owner)
    throw localFailure(
      call,
      'the key was first sent with another credential; set credentialScope if both have one owner',
    );
  const startedAt = clock.now();
  const request = describe(call, resends, connection);
  notify(hooks.onRequest, request);
  const outgoing = { ...call.outgoing, headers: { ...connection.headers, ...call.outgoing.headers, ...headers } };
  const timeoutMs = Math.max(1, Math.min(call.timeoutMs, call.time.endsAt - startedAt));
  const sent = await send(outgoing, { ...call, fetch: connection.fetch, signal: call.time.signal, timeoutMs });
  const responded = (facts?: ResponseFacts, attributes = {}): ResponseEvent => {
    const event = { ...request, facts, durationMs: clock.now() - startedAt };
    return { ...event, attributes: { ...request.attributes, ...attributes } };
  };
  if (sent.kind === 'lost') {
    const event = responded(undefined, { 'error.type': 'network' });
    notify(hooks.onResponse, event);
    const error = (): RouterError => lostFailure(call, resends + 1, sent.cause);
    return { kind: 'failure', outcome: { kind: 'lost' }, error, event };
  }
  const { response, body } = sent;
  const facts = readResponseFacts(response.headers, brand);
  const { status } = response;
  const isSuccess = call.isSuccess(status, body.kind === 'json' ? body.value : undefined);
  const isRead = body.kind !== 'malformed' && (body.kind !== 'empty' || status === 304);
  const category = categoryOf(response.headers, body, brand);
  connection.limits.noteSpend(facts.committedSpend);
  const event = responded(facts, {
    'http.response.status_code': status,
    ...(isSuccess ? {} : { 'error.type': category.known }),
  });
  notify(hooks.onResponse, event);
  if (isSuccess && isRead) return { kind: 'success', answer: { response, status, body, facts, attempts: resends + 1 } };
  if (status === 429 && category.known === 'concurrency_limit_exceeded')
    connection.limits.slowDown(facts.retryAfterSeconds);
  // A success that broke off counts as no response: the same key fetches the result again.
  const outcome: AttemptOutcome = isSuccess
    ? { kind: 'lost' }
    : { kind: 'answered', status, category, retryAfterSeconds: facts.retryAfterSeconds };
  const answered = { status, body: body.kind === 'stream' ? ({ kind: 'empty' } as const) : body, facts, category };
  const error = (isRetryable: boolean): RouterError =>
    answeredFailure(call, answered, { attempts: resends + 1, isRetryable, isSuccess, redact: credential.redact });
  return { kind: 'failure', outcome, error, event };
}

function describe(
  { operation, model, key, outgoing }: Call,
  resends: number,
  { credential }: Connection,
): RequestEvent {
  return {
    operation,
    model,
    key,
    attributes: {
      'http.request.method': outgoing.method,
      'url.full': credential.redact(outgoing.url),
      'http.request.resend_count': resends,
    },
  };
}
