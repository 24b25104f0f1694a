import type { Category } from './categories.ts';
import type { ResponseFacts } from './response-facts.ts';
import type { QueuedAddresses } from './router-error.ts';

/** The answer to `cancel`. Neither outcome says anything about billing. */
export type Cancellation = {
  /** `requested`: the outcome is read from the status. `already-completed`: nothing changed. */
  readonly outcome: 'requested' | 'already-completed';
  /** As the service wrote it. */
  readonly status: string;
};

type AnyState = {
  /** As the service wrote it; unknown words count as pending. */
  readonly status: string;
  readonly addresses: QueuedAddresses;
  /** From the headers of the response, with the wait that it asks for. */
  readonly facts: ResponseFacts;
};
export type QueueState =
  | (AnyState & { readonly kind: 'pending' /** Requests ahead; 0 is the front. */; readonly position?: number })
  | (AnyState & { readonly kind: 'succeeded' })
  /** Failed, cancelled or timed out. A cancellation says nothing about billing. */
  | (AnyState & { readonly kind: 'ended'; readonly category: Category });
export type EndedState = Extract<QueueState, { readonly kind: 'ended' }>;
