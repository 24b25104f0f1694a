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
  /** No response, or a success that broke off before its end. */
  | { readonly kind: 'lost' };

/**
 * `wait`: the server told to come back, which never uses up attempts. `retry`: the outcome is unclear or failed; attempts are bounded.
 * Without `seconds`, back off.
 */
export type NextStep =
  | { readonly kind: 'stop' }
  | { readonly kind: 'wait' | 'retry'; readonly seconds?: number | undefined };

const stop: NextStep = { kind: 'stop' };

/** The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). */
export function nextStep(repetition: Repetition, outcome: AttemptOutcome): NextStep {
  if (repetition === 'unkeyed') return stop;
  if (outcome.kind === 'lost') return { kind: 'retry' };
  const { status, category, retryAfterSeconds: seconds } = outcome;
  const waits = category.known === 'rate_limited' || category.known === 'concurrency_limit_exceeded';
  if (status === 429) return { kind: waits || seconds !== undefined ? 'wait' : 'retry', seconds };
  if (status === 409) {
    const stillRuns = repetition === 'keyed' && category.known === 'concurrency_limit_exceeded';
    return stillRuns ? { kind: 'wait', seconds } : stop;
  }
  if (status === 504 && category.known === 'deadline_exceeded' && seconds !== undefined)
    return { kind: 'wait', seconds };
  return status >= 500 ? { kind: 'retry', seconds } : stop;
}
