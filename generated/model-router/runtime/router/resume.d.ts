/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { StoredCall } from './key-store.js';
import { type ConvertedResult } from './results.js';
import type { CallOptions } from './router-types.js';
import { type Session } from './session.js';
/** Goes on with a call that the key store holds. */
export declare function resume({ key, operation, model }: StoredCall, options: CallOptions, session: Session): Promise<ConvertedResult<unknown>>;
