/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export type { CallOptions } from '../http/call.js';
export type { Settled } from '../http/client-error.js';
export type { RouterOf } from './connection.js';
export { createModelRouterFor } from './create-router.js';
export { createMemoryKeyStore, type KeyStore, type ListedCall, type MemoryKeyStoreOptions, type StoredCall, } from './key-store.js';
export type { LimitOptions } from './limits.js';
export type * from './options.js';
export type { CommittedSpend, ResponseFacts } from './response-facts.js';
export { type ErrorCategory, type KnownCategory, knownCategories, type QueuedAddresses } from './response-facts.js';
export type { ConvertedResult, RunResult } from './results.js';
export { type FieldFailure, fieldErrors, isRouterError, type RefusedField, RouterError, type RouterErrorFacts, type RouterOperation, safe, } from './router-error.js';
export type * from './router-types.js';
