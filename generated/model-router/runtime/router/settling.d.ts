/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Answer } from './attempt.js';
import { type CallIdentity } from './failures.js';
import type { KeyStore } from './key-store.js';
export type SettleOptions = {
    /**
     * Keeps the call in `pending()` until the result's `settle()` is called, so that a crash before you have stored the result
     * loses nothing.
     */
    readonly settle?: 'manual' | undefined;
};
/** A result, and how the store learns that its caller has it. */
type Settling = {
    readonly isManual: boolean;
    /** Absent for a call without a key, or where nothing is known of it. */
    readonly key: string | undefined;
    readonly finish: () => Promise<void>;
};
/**
 * Forgets the key of a result: at once, or when a stream was read to its end, or when the caller settles it. Until then its
 * key collects the same result again.
 */
export declare function settleResult<Of extends Answer>(answer: Of, { isManual, key, finish }: Settling, { call, keys }: {
    call: CallIdentity;
    keys: KeyStore;
}): Promise<Of & {
    readonly settle: () => Promise<void>;
}>;
/**
 * A change of the store that comes after the response. One that fails or hangs must not cost the result: the call is then listed as
 * pending although it is not, and its key leads to the same result.
 */
export declare function kept(change: Promise<void>): Promise<void>;
export {};
