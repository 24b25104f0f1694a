import type { Category } from './categories.ts';

/**
 * How a call may be repeated. A billed call without a key is never repeated; one with a key always keeps it.
 * `read` is a GET that costs nothing, `collect` fetches the result of a queued request, `cancel` asks to end one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'collect' | 'cancel';

/** What one attempt ended in. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly category: Category;
      readonly retryAfterSeconds?: number | undefined;
    }
  /** No response, or a success that broke off before its end; `isUnsent` when there was no connection at all. */
  | { readonly kind: 'lost'; readonly isUnsent?: boolean };

/**
 * `wait`: the server told to come back, which never uses up attempts. `retry`: the outcome is unclear or failed; attempts are bounded.
 * Without `seconds`, back off.
 */
export type NextStep =
  | { readonly kind: 'stop' }
  | { readonly kind: 'wait' | 'retry'; readonly seconds?: number | undefined };

const stop: NextStep = { kind: 'stop' };
/** Of a queued request that ended, whatever status says so (MR-CTG-21, MR-CTG-23). */
const ended: readonly string[] = ['cancelled', 'queue_timeout', 'content_policy_violation'];

/** The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). */
export function nextStep(repetition: Repetition, outcome: AttemptOutcome): NextStep {
  if (repetition === 'unkeyed') return stop;
  if (outcome.kind === 'lost') return { kind: 'retry' };
  const { status, category, retryAfterSeconds: seconds } = outcome;
  if (isToldToWait(repetition, outcome)) return { kind: 'wait', seconds };
  const hasEnded = (repetition === 'collect' || repetition === 'read') && ended.includes(category.known);
  return (status === 429 || status >= 500) && !hasEnded ? { kind: 'retry', seconds } : stop;
}

function isToldToWait(
  repetition: Repetition,
  { status, category: { known }, retryAfterSeconds }: Extract<AttemptOutcome, { kind: 'answered' }>,
): boolean {
  const isTold = retryAfterSeconds !== undefined;
  if (status === 429) return isTold || known === 'rate_limited' || known === 'concurrency_limit_exceeded';
  if (status === 409) return repetition === 'keyed' && known === 'concurrency_limit_exceeded';
  return status === 504 && known === 'deadline_exceeded' && isTold;
}

/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
export function mayHaveRun(outcome: AttemptOutcome): boolean {
  if (outcome.kind === 'lost') return outcome.isUnsent !== true;
  if (outcome.status >= 500) return true;
  return outcome.status === 409 && outcome.category.known === 'concurrency_limit_exceeded';
}
