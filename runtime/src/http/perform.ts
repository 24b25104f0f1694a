import { attempt, type Dialect, type NextStep, type Sending, type Work } from './attempt.ts';
import { DeadlinePassed, readElapsed, waitMs } from './clock.ts';
import { mostBudget, repetitionPrice } from './connection.ts';
import { explainEnd } from './explain-failure.ts';
import { notifyAll } from './observers.ts';

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
  call: Sending,
  { error, next }: { readonly error: Error; readonly next: NextStep },
  spent: { counted: number; waitedMs: number },
  work: Work,
): number {
  const { clock, budget } = work;
  if (next === undefined) throw error;
  if (!next.isTold) {
    spent.counted += 1;
    const price = call.queued === undefined ? repetitionPrice : 0; // what was admitted goes on
    if (spent.counted >= work.maxAttempts || budget.left < price) throw error;
    budget.left -= price;
  }
  // Zero seconds, or a date in the past, name no time: it backs off, since such an answer uses up no attempt.
  const ms = waitMs(next.seconds || undefined, call.attempts, clock);
  spent.waitedMs += ms;
  if (!call.isAdmitted && spent.waitedMs > work.maxWaitMs) throw error;
  if (readElapsed(clock) + ms < work.endsAt) return ms;
  throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
}
