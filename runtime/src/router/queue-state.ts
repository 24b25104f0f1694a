import { toObject } from '../http/read-body.ts';
import type { Answer } from './call.ts';
import { type Category, readCategory } from './categories.ts';
import type { ResponseFacts } from './response-facts.ts';
import type { QueuedAddresses } from './router-error.ts';

type Every = {
  /** As the service wrote it; unknown words count as pending. */
  readonly status: string;
  readonly addresses: QueuedAddresses;
  /** Of the response that said so, with the wait it asked for. */
  readonly facts: ResponseFacts;
};
export type QueueState =
  | (Every & { readonly kind: 'pending' /** Requests ahead; 0 is the front. */; readonly position?: number })
  | (Every & { readonly kind: 'succeeded' })
  /** Failed, cancelled or timed out. A cancellation says nothing about billing. */
  | (Every & { readonly kind: 'ended'; readonly category: Category });

/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readQueueState({ body, facts }: Pick<Answer, 'body' | 'facts'>): QueueState | undefined {
  const { request_id, status, status_url, response_url, cancel_url, error_type, queue_position } = toObject(body);
  if (typeof request_id !== 'string' || typeof status !== 'string') return undefined;
  if (typeof status_url !== 'string' || typeof response_url !== 'string' || typeof cancel_url !== 'string')
    return undefined;
  const every = {
    status,
    addresses: { requestId: request_id, statusUrl: status_url, responseUrl: response_url, cancelUrl: cancel_url },
    facts,
  };
  if (status !== 'COMPLETED') {
    return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
  }
  if (typeof error_type !== 'string') return { kind: 'succeeded', ...every };
  return { kind: 'ended', ...every, category: readCategory('', error_type) };
}
