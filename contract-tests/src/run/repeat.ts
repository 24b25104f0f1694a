import { OutOfTime, SetupFailure } from '../contract/endings.ts';
import { readMember } from '../contract/evidence.ts';
import type { Answer, Repetition } from '../contract/scenario.ts';
import type { Calls, Writable } from './calls.ts';

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
  const { ports, limits, target } = check;
  const runEndsAtMs = ports.clock.now() + limits.ruleMs;
  const isRunning = (): boolean => waitsForRun === true && target.kind === 'live' && ports.clock.now() < runEndsAtMs;
  const attempts: Writable<Answer>[] = [];
  let because = `did not meet its condition within ${atMost} attempts`;
  const statuses = new Set<string>();
  let deadEnds = 0;
  while (deadEnds < maxDeadEnds && (attempts.length < atMost || isRunning())) {
    const last = attempts.at(-1);
    const isSlow = attempts.length >= atMost;
    // Time spent waiting for a run doesn't count against the rule's deadline.
    if (isSlow) {
      const neededMs = ports.clock.now() + slowPollMs + limits.requestMs;
      deadline.endsAtMs = Math.min(check.endsAtMs, Math.max(deadline.endsAtMs, neededMs));
    }
    let answer: Writable<Answer>;
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
    const deadEnd = waitsForRun ? findDeadEnd(answer, statuses) : undefined;
    if (deadEnd !== undefined) {
      because = deadEnd;
      deadEnds += 1;
    }
  }
  const last = attempts.at(-1);
  if (mayNeverHold && last !== undefined) return last;
  throw new SetupFailure(`step "${attempts[0]?.step}" ${because}`);
}

/** Undocumented names of final states: COMPLETED is the only terminal state, whatever the outcome (MR-QUE-33). */
const finalNames =
  /(?:^(?:completed?|succeeded|success|done|finished|ended)|cancell?ed|failed|failure|error|expired|aborted|rejected|timed_?out)$/i;

/** Returns the reason why a queued request with this status will never become COMPLETED; otherwise undefined. */
function findDeadEnd(answer: Answer, seen: Set<string>): string | undefined {
  if (answer.status > 202) return undefined;
  const status = readMember(answer, '/status');
  // This happens for example if the status_url of the handle leads to the result.
  if (typeof status !== 'string') return answer.status === 200 ? 'returned 200 without a status' : undefined;
  if (status === 'COMPLETED') return undefined;
  const error = readMember(answer, '/error_type');
  if (typeof error === 'string') return `has the error_type ${error} and the status ${status}`;
  // Next to COMPLETED there are two more statuses, whose names the API does not document (OP-001).
  const isOther = finalNames.test(status) || seen.add(status).size > 2;
  return isOther ? `has the status ${status}, which is not one of the three` : undefined;
}
