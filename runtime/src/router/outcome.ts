import type { NextStep } from '../http/perform.ts';
import type { Category, KnownCategory } from './categories.ts';

/**
 * How a call may be repeated. A billed call without a key is never repeated; one with a key always keeps it.
 * `read` is a GET that costs nothing, `poll` asks for the state of a request that was admitted, `collect` fetches the result of a queued request, `cancel` asks to end one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';

/** What one attempt ended in. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly category: Category;
      readonly retryAfterSeconds?: number | undefined;
    }
  /** No response, or a success that broke off before its end; `isUnsent` when there was no connection at all, `isFinal` when there never will be. */
  | { readonly kind: 'lost'; readonly isUnsent?: boolean; readonly isFinal?: boolean };

/** Of a queued request that ended, whatever status says so (MR-CTG-21, MR-CTG-23). */
const ended: readonly string[] = ['cancelled', 'queue_timeout', 'content_policy_violation'];

/**
 * The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). `endsWith` is how the status said that a queued
 * request ended: an answer that repeats it is final.
 */
export function nextStep(repetition: Repetition, outcome: AttemptOutcome, endsWith?: KnownCategory): NextStep {
  if (repetition === 'unkeyed') return undefined;
  // An admitted request goes on, whatever an answer about it fails to say.
  const isTold = repetition === 'poll';
  if (outcome.kind === 'lost') return outcome.isFinal ? undefined : { isTold };
  const { status, category, retryAfterSeconds: seconds } = outcome;
  if (isToldToWait(repetition, outcome)) return { isTold: true, seconds };
  const isQuestion = repetition === 'poll' || repetition === 'collect' || repetition === 'read';
  if (isQuestion && (category.known === endsWith || ended.includes(category.known))) return undefined;
  const isAdmitted = repetition === 'poll' || (repetition === 'collect' && endsWith === undefined);
  if (status === 404 && isAdmitted) return { isTold: false, seconds }; // a replica may lag behind
  return [408, 425, 429].includes(status) || status >= 500 || saysNothing(status) ? { isTold, seconds } : undefined;
}

/** A success that is not the one that is due. The redirects of browsers have the status 0. */
const saysNothing = (status: number): boolean => status > 0 && status < 300;

function isToldToWait(
  repetition: Repetition,
  { status, category: { known }, retryAfterSeconds }: Extract<AttemptOutcome, { kind: 'answered' }>,
): boolean {
  const isTold = retryAfterSeconds !== undefined;
  if (status === 429) return isTold || known === 'rate_limited' || known === 'concurrency_limit_exceeded';
  if (status === 409) return repetition === 'keyed' && known === 'concurrency_limit_exceeded';
  return status === 504 && known === 'deadline_exceeded' && isTold;
}

/** Whether the service waits for an output itself: the call was admitted, and asking again collects it. */
export function isCollecting(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status !== 429;
}

/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
export function mayHaveRun(outcome: AttemptOutcome): boolean {
  if (outcome.kind === 'lost') return outcome.isUnsent !== true;
  if (outcome.status >= 500 || outcome.status === 408 || saysNothing(outcome.status)) return true;
  return outcome.status === 409 && outcome.category.known === 'concurrency_limit_exceeded';
}
