import type { ValidationFailure } from '../descriptor.ts';
import { type ClientError, createErrorClass, hasBrand } from '../http/client-error.ts';
import type { Category } from './categories.ts';
import type { ResponseFacts } from './response-facts.ts';

/** What a caller was doing. */
export type RouterOperation =
  | 'run'
  | 'submit'
  | 'subscribe'
  | 'resume'
  | 'status'
  | 'result'
  | 'cancel'
  | 'models'
  | 'model'
  | 'schema'
  | 'pending';

/** One failing field of a 422, outermost part first; a number is an index. */
export type FieldFailure = ValidationFailure & { readonly input?: unknown };

type Every = {
  readonly operation: RouterOperation;
  /** Absent for a listing. */
  readonly model?: string;
  /** Whether the same call, with the same key, may be sent again with a chance. */
  readonly isRetryable: boolean;
  /** Whether the call may be on an invoice although it failed. */
  readonly mayBeBilled: boolean;
  /** Of a billed call: resume or repeat with this key, never with a new one (MR-IDM-35). */
  readonly idempotencyKey?: string;
  /** Of a queued request that was admitted. */
  readonly queued?: QueuedAddresses;
  /** How often the call was sent. */
  readonly attempts: number;
  /** Of the response, where there was one; also of a stream that ended early. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
};
/** Where a queued request is read, collected and cancelled. */
export type QueuedAddresses = {
  readonly requestId: string;
  readonly statusUrl: string;
  readonly responseUrl: string;
  readonly cancelUrl: string;
};
type Answered = Every & {
  readonly status: number;
  /** Undefined where a proxy answered in place of the router. */
  readonly requestId: string | undefined;
  readonly category: Category;
  readonly retryAfterMs: number | undefined;
  readonly facts: ResponseFacts;
  /** The whole body where it is JSON, with members that the API does not document, such as `upstream_detail`. Without credentials. */
  readonly body?: unknown;
};

/** What an error carries, by kind. */
export type RouterErrorFacts =
  /** The router answered with an error. `detail` is safe to show and says nothing to branch on. */
  | ({ readonly kind: 'router'; readonly detail: string } & Answered)
  /** Fields of the input were refused. */
  | ({ readonly kind: 'validation'; readonly fields: readonly FieldFailure[] } & Answered)
  /** A status of an error whose body is not the router's: HTML, plain text, truncated or empty. */
  | ({ readonly kind: 'opaque'; readonly excerpt: string } & Answered)
  /** A status of success whose body cannot be read, or broke off. `bytes` are as they came; they are not in its JSON. */
  | ({ readonly kind: 'decode'; readonly excerpt: string; readonly bytes?: Uint8Array } & Answered)
  /** No response. */
  | ({ readonly kind: 'network' } & Every)
  /** The deadline of the call passed. */
  | ({ readonly kind: 'timeout'; readonly deadlineMs: number } & Every)
  /** The caller's signal was aborted. Work that the provider accepted may go on. */
  | ({ readonly kind: 'aborted' } & Every)
  /** Refused by the client itself; `attempts` says whether something was sent before. */
  | ({ readonly kind: 'local' } & Every);

/** The one error that the client throws; `kind` says which members it has. */
export type RouterError = Error & RouterErrorFacts;

export const RouterError: ClientError<RouterErrorFacts> = /* @__PURE__ */ createErrorClass('RouterError');

/** Whether a value is an error of this client, or of another copy of it. */
export function isRouterError(value: unknown): value is RouterError {
  return hasBrand(value, 'RouterError');
}
