export type { KeyOptions } from './billed-call.ts';
export type { CallOptions, PollOptions } from './call-options.ts';
export type { CatalogModel, SchemaAnswer } from './catalog.ts';
export { type Category, type KnownCategory, knownCategories } from './categories.ts';
export { createModelRouterFor, type ModelRouterOptions } from './create-router.ts';
export { fieldErrors, type RefusedField } from './field-errors.ts';
export { createMemoryKeyStore, type KeyStore, type PendingCall, type StoredCall } from './key-store.ts';
export type { LimitOptions } from './limits.ts';
export type { Middleware, OutgoingRequest, RouterPart } from './middleware.ts';
export type {
  CallEndEvent,
  CallEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  RouterHooks,
  RouterObservers,
} from './observers.ts';
export type { Cancellation, QueueState } from './queue.ts';
export type { CommittedSpend, ResponseFacts } from './response-facts.ts';
export type { ConvertedResult, RunResult } from './results.ts';
export {
  type FieldFailure,
  isRouterError,
  type QueuedAddresses,
  RouterError,
  type RouterErrorFacts,
  type RouterOperation,
} from './router-error.ts';
export type {
  AnyModel,
  As,
  InputOf,
  ModelRouter,
  OutputOf,
  OutputOptions,
  ProviderOptions,
  QueuedRequest,
  RouterClient,
  RunOptions,
  SafeRouter,
  Settled,
  SubmitOptions,
  SubscribeOptions,
  Target,
  UntypedRouter,
} from './router-types.ts';
