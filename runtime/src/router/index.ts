export type { CallOptions } from '../http/call.ts';
export type { Settled } from '../http/client-error.ts';
export type { RouterOf } from './connection.ts';
export { createModelRouterFor } from './create-router.ts';
export {
  createMemoryKeyStore,
  type KeyStore,
  type ListedCall,
  type MemoryKeyStoreOptions,
  type StoredCall,
} from './key-store.ts';
export type { LimitOptions } from './limits.ts';
export type * from './options.ts';
export type { CommittedSpend, ResponseFacts } from './response-facts.ts';
export { type ErrorCategory, type KnownCategory, knownCategories, type QueuedAddresses } from './response-facts.ts';
export type { ConvertedResult, RunResult } from './results.ts';
export {
  type FieldFailure,
  fieldErrors,
  isRouterError,
  type RefusedField,
  RouterError,
  type RouterErrorFacts,
  type RouterOperation,
  safe,
} from './router-error.ts';
export type * from './router-types.ts';
