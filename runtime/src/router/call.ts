import { DeadlinePassed, readElapsed, waitMs, within } from '../http/clock.ts';
import type { Credential } from '../http/credential.ts';
import { notifyAll } from '../http/notify.ts';
import { type Answer, type Attempt, type Call, type Deadline, exchange } from './attempt.ts';
import type { PollOptions } from './call-options.ts';
import type { Connection } from './connection.ts';
import { type CallIdentity, localFailure, stoppedFailure } from './failures.ts';
import { isCollecting, mayHaveRun, nextStep } from './outcome.ts';
import type { RouterError } from './router-error.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What a call has to keep to, from now on. */
export function startDeadline(options: PollOptions, connection: Connection, usualMs: number = dayMs): Deadline {
  const { signal = new AbortController().signal, deadlineMs = usualMs, headers = {} } = options;
  const { maxAttempts = connection.maxAttempts, maxWaitMs = connection.maxWaitMs } = options;
  const { attemptTimeoutMs, pollEvery } = options;
  // A number that is none would compare as false everywhere: no attempt would be the last one.
  if ([deadlineMs, maxAttempts, maxWaitMs, attemptTimeoutMs, pollEvery].some(Number.isNaN))
    throw new TypeError('a time or a number of attempts is no number');
  const endsAt = readElapsed(connection.clock) + deadlineMs;
  return { signal, deadlineMs, endsAt, headers, maxAttempts, maxWaitMs, attemptTimeoutMs, pollEvery };
}

type Progress = { sent: number; counted: number; waitedMs: number; isAdmitted: boolean };

/** Sends a call until its outcome is known, as the table of retry outcomes says. Throws a `RouterError`. */
export async function perform(call: Call, connection: Connection): Promise<Answer> {
  const isAdmitted = call.queued !== undefined || call.mayHaveRun === true;
  const progress: Progress = { sent: 0, counted: 0, waitedMs: 0, isAdmitted };
  let current = call;
  try {
    for (;;) {
      const attempt = await attemptOnce(current, progress, connection);
      if (attempt.kind === 'success') {
        connection.budget.refund(progress.counted > 0);
        return attempt.answer;
      }
      current = isBilled(call) && mayHaveRun(attempt.outcome) ? { ...current, mayHaveRun: true } : current;
      const next = planNext(current, { attempt, progress }, connection);
      notifyAll(connection.observers, 'onRetry', { ...attempt.event, ...next });
      await connection.clock.sleep(next.waitMs, call.time.signal);
    }
  } catch (error) {
    throw explainEnd(error, current, progress.sent);
  }
}

/** How long to wait before the call is sent again. Throws the error of the attempt where it is not. */
function planNext(
  { repetition, endsWith, queued, time }: Call,
  { attempt, progress }: { attempt: Extract<Attempt, { kind: 'failure' }>; progress: Progress },
  { clock, budget }: Connection,
): { waitMs: number; asTold: boolean; reason: string } {
  const { outcome, error, event } = attempt;
  const step = nextStep(repetition, outcome, endsWith);
  if (step.kind === 'stop') throw error(false);
  if (step.kind === 'retry') {
    progress.counted += 1;
    const isOver = progress.counted >= time.maxAttempts || (queued === undefined && !budget.spend());
    if (isOver) throw error(true);
  } else if (isCollecting(outcome)) progress.isAdmitted = true;
  const wait = waitMs(step.seconds, progress.sent, clock);
  progress.waitedMs += wait;
  if (!progress.isAdmitted && progress.waitedMs > time.maxWaitMs) throw error(true);
  if (readElapsed(clock) + wait >= time.endsAt) {
    const last = error(true);
    throw new DeadlinePassed(`the last attempt: ${last.message}`, { cause: last });
  }
  const { 'http.response.status_code': status = '', 'error.type': type = 'broken off' } = event.attributes;
  return { waitMs: wait, asTold: step.kind === 'wait', reason: `${status} ${type}`.trim() };
}

/** What a call throws where a wait of it ended with `error`. */
export function explainEnd(error: unknown, call: CallIdentity & { time: Deadline }, attempts: number): unknown {
  const { signal, deadlineMs } = call.time;
  if (signal.aborted) return stoppedFailure(call, { attempts }, error);
  return error instanceof DeadlinePassed
    ? stoppedFailure(call, { attempts, deadlineMs: error.limitMs ?? deadlineMs, reason: error.message }, error.cause)
    : error;
}

const isBilled = ({ operation }: Call): boolean => operation === 'run' || operation === 'submit';

async function attemptOnce(call: Call, progress: Progress, connection: Connection): Promise<Attempt> {
  const leave = isBilled(call) ? await enterLimits(call, progress, connection) : undefined;
  try {
    if (readElapsed(connection.clock) >= call.time.endsAt) throw new DeadlinePassed();
    const { headers: credential, owner } = await readCredential(call, call.time, connection);
    if (call.owner !== undefined && call.owner !== owner) throw anotherOwner(call, progress.sent);
    progress.sent += 1;
    return await exchange(call, { attempts: progress.sent, credential }, connection);
  } finally {
    leave?.();
  }
}

async function enterLimits(
  { time }: Call,
  progress: Progress,
  { clock, limits }: Connection,
): ReturnType<Connection['limits']['enter']> {
  const startedAt = readElapsed(clock);
  const leave = await limits.enter(
    progress.isAdmitted ? time : { ...time, limitMs: time.maxWaitMs - progress.waitedMs },
  );
  progress.waitedMs += readElapsed(clock) - startedAt;
  return leave;
}

/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
function readCredential(
  call: CallIdentity,
  { signal, endsAt }: Deadline,
  { credential, clock }: Connection,
): ReturnType<Credential['current']> {
  const current = credential.current().catch((cause: unknown) => {
    throw localFailure(call, 'the credential cannot be read', { cause });
  });
  return credential.isFixed ? current : within(current, { signal, ms: endsAt - readElapsed(clock) });
}

/** Who a call belongs to, where it is asked for before anything is sent. */
export async function readOwner(call: CallIdentity, time: Deadline, connection: Connection): Promise<string> {
  try {
    return (await readCredential(call, time, connection)).owner;
  } catch (error) {
    throw explainEnd(error, { ...call, time }, 0);
  }
}

export function anotherOwner(call: CallIdentity, attempts: number): RouterError {
  const advice = 'set credentialScope if both have one owner';
  return localFailure(call, `the key was first sent with another credential; ${advice}`, { attempts });
}
