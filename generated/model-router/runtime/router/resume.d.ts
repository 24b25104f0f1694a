/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Session } from './connection.js';
import type { StoredCall } from './key-store.js';
import { type ConvertedResult } from './results.js';
import type { AnyModel, ResumeOptions } from './router-types.js';
type Options = ResumeOptions & {
    readonly model?: string | AnyModel;
};
/** Goes on with a call that the key store holds. */
export declare function resume(session: Session, { key, operation, model }: Partial<StoredCall> & Pick<StoredCall, 'key'>, options?: Options): Promise<ConvertedResult<unknown>>;
export {};
