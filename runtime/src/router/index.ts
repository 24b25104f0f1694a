export type { CallOptions } from '../http/call.ts';
export type { CatalogModel, CatalogPage, SchemaAnswer } from './catalog.ts';
export { type Category, type KnownCategory, knownCategories } from './categories.ts';
export { createModelRouterFor } from './create-router.ts';
export { fieldErrors, type RefusedField } from './field-errors.ts';
export {
  createMemoryKeyStore,
  type KeyStore,
  type ListedCall,
  type MemoryKeyStoreOptions,
  type PendingCall,
  type StoredCall,
} from './key-store.ts';
export type { LimitOptions } from './limits.ts';
export type * from './observers.ts';
export type * from './options.ts';
export type { Cancellation, QueueState } from './queue-state.ts';
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
export type * from './router-types.ts';
