import { cached } from '../contract/cache.ts';
import { OutOfTime, SetupFailure } from '../contract/endings.ts';
import { readMember } from '../contract/evidence.ts';
import type { Evidence, Exchange } from '../contract/exchange.ts';
import type { Answer, Repetition } from '../contract/scenario.ts';
import type { Calls } from './calls.ts';

/** Polls until the status is COMPLETED, or the response is not a 200 (MR-STA-09 allows 410 for a failed request). */
export const untilCompleted: Repetition = {
  until: (answer) => answer.status !== 200 || readMember(answer, '/status') === 'COMPLETED',
  atMost: 80,
  everyMs: 250,
  waitsForRun: true,
};

const slowPollMs = 2_000;
/** Number of wrong states after which polling stops. More than one, because the request may still complete. */
const maxDeadEnds = 12;

/** A response whose `attempts` are added later. */
type Attempt = { -readonly [Member in keyof Answer]: Answer[Member] };

/**
 * Repeats a call until its condition is true. A wait for a run of a live target gets the full deadline of a rule, and
 * polls more slowly after the usual number of attempts. Throws `SetupFailure` if the condition never becomes true.
 */
export async function repeatCall(
  make: () => Promise<Answer>,
  { until, atMost, everyMs, waitsForRun, mayNeverHold }: Repetition,
  calls: Calls,
): Promise<Answer> {
  const { check, deadline } = calls;
  const { ports, limits, log, target } = check;
  const runEndsAtMs = ports.clock.now() + limits.ruleMs;
  const isRunning = (): boolean => waitsForRun === true && target.kind === 'live' && ports.clock.now() < runEndsAtMs;
  const attempts: Attempt[] = [];
  let because = `did not meet its condition within ${atMost} attempts`;
  let deadEnds = 0;
  while (deadEnds < maxDeadEnds && (attempts.length < atMost || isRunning())) {
    const last = attempts.at(-1);
    const isSlow = attempts.length >= atMost;
    // Time spent waiting for a run doesn't count against the rule's deadline.
    if (isSlow) {
      const neededMs = ports.clock.now() + slowPollMs + limits.requestMs;
      deadline.endsAtMs = Math.min(check.endsAtMs, Math.max(deadline.endsAtMs, neededMs));
    }
    let answer: Attempt;
    try {
      if (last !== undefined) await calls.wait(isSlow ? slowPollMs : everyMs, last.step);
      answer = await make();
    } catch (error) {
      if (error instanceof OutOfTime && last !== undefined && mayNeverHold) return last;
      throw error;
    }
    attempts.push(answer);
    answer.attempts = attempts;
    if (until(answer)) return answer;
    const deadEnd = findDeadEnd(answer.exchange, log.exchanges);
    if (deadEnd !== undefined) {
      because = deadEnd;
      deadEnds += 1;
    }
  }
  const last = attempts.at(-1);
  if (mayNeverHold && last !== undefined) return last;
  throw new SetupFailure(`step "${attempts[0]?.step}" ${because}`);
}

/** Undocumented names for failed requests: COMPLETED is the only terminal state, whatever the outcome (MR-QUE-33). */
const failureNames = /(?:cancell?ed|failed|failure|error|expired|aborted|rejected|timed_?out)$/i;
/** Undocumented names for completed requests. Matches whole names: a request that is NOT_COMPLETED still runs. */
const successNames = /^(?:completed?|succeeded|success|done|finished|ended)$/i;

/** Returns the reason why a queued request with this status will never become COMPLETED; otherwise undefined. */
function findDeadEnd(exchange: Exchange, log: Evidence): string | undefined {
  const { result } = exchange;
  if (result.kind !== 'response') return undefined;
  const isLost = isOnRequest(exchange) && result.status === 200 && typeof readMember(result, '/status') !== 'string';
  // This happens for example if the status_url of the handle leads to the result.
  if (isLost) return 'returned 200 without a status';
  const status = readStatus(exchange);
  if (status === undefined || status === 'COMPLETED') return undefined;
  const error = readMember(result, '/error_type');
  if (typeof error === 'string') return `has the error_type ${error} and the status ${status}`;
  // Next to COMPLETED there are two more statuses, whose names the API does not document (OP-001).
  const isOther = failureNames.test(status) || successNames.test(status) || !listFirstStatuses(log, 2).includes(status);
  return isOther ? `has the status ${status}, which is not one of the three` : undefined;
}

/** Returns the first different statuses in the log, without COMPLETED. */
function listFirstStatuses(log: Evidence, count: number): readonly string[] {
  const found: string[] = [];
  for (const exchange of log) {
    const status = readStatus(exchange);
    if (status !== undefined && status !== 'COMPLETED' && !found.includes(status)) found.push(status);
    if (found.length === count) break;
  }
  return found;
}

const isOnRequest = ({ api, request }: Exchange): boolean => api === 'router' && request.url.includes('/requests');

// Each poll reads the statuses of the whole log.
const readStatus = cached((exchange: Exchange): string | undefined => {
  const { result } = exchange;
  if (!isOnRequest(exchange) || result.kind === 'no-response') return undefined;
  // The 200 of collect is a result, whose members are defined by the model.
  if (result.status > 202 || readMember(result, '/status_url') === undefined) return undefined;
  const status = readMember(result, '/status');
  return typeof status === 'string' ? status : undefined;
});
