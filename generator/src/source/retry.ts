import type { Clock, HttpOutcome } from '../ports.ts';

type RetryClock = Pick<Clock, 'now' | 'instantOf'>;

export type RetryPolicy = { attempts: number; firstWaitMs: number; longestWaitMs: number };
export const defaultRetryPolicy: RetryPolicy = { attempts: 4, firstWaitMs: 250, longestWaitMs: 60_000 };

export type RetryDecision = { kind: 'wait'; ms: number } | { kind: 'stop' };

/**
 * Whether a GET is worth another try: after 429, 503 and lost connections, with doubling waits that are never shorter
 * than `Retry-After`. A longer `Retry-After` than the policy's longest wait ends the attempts.
 */
export function decideRetry(
  outcome: HttpOutcome,
  attempt: number,
  options: { policy: RetryPolicy; clock: RetryClock },
): RetryDecision {
  const { policy, clock } = options;
  if (attempt >= policy.attempts || !isTransient(outcome)) return { kind: 'stop' };
  const asked = outcome.kind === 'answer' ? parseRetryAfter(outcome.headers.get('retry-after'), clock) : undefined;
  if (asked !== undefined && asked > policy.longestWaitMs) return { kind: 'stop' };
  const backoff = Math.min(policy.firstWaitMs * 2 ** (attempt - 1), policy.longestWaitMs);
  return { kind: 'wait', ms: Math.max(backoff, asked ?? 0) };
}

function isTransient(outcome: HttpOutcome): boolean {
  if (outcome.kind === 'no-answer') return outcome.because === 'reset' || outcome.because === 'deadline';
  return outcome.status === 429 || outcome.status === 503;
}

/** Milliseconds from now; both forms of the header, nothing when it is neither. */
export function parseRetryAfter(value: string | undefined, clock: RetryClock): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const instant = clock.instantOf(value);
  return instant === undefined ? undefined : Math.max(0, instant - clock.now());
}
