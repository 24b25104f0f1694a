/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Clock } from '../http/clock.js';
import type { StoredCall } from '../router/key-store.js';
import type { KeyRecord, KeyRecords } from './key-records.js';
/** A call that this program works on. */
type Held = {
    call: StoredCall;
    holder: string;
    /** Whether its caller has the result already. */
    isListed: boolean;
    /** Whether it gives signs of life; what is in the queue needs none, since to collect it twice costs nothing. */
    beats: boolean;
    beating: Promise<unknown>;
};
/** The calls that a program works on, which it says again and again. */
export type HeldCalls = {
    get(key: string): Held | undefined;
    /** This program, and the time. */
    sign(): string;
    start(call: StoredCall, holder: string): void;
    /** No more signs of life. The call still counts as worked on until `forget`. */
    end(key: string): Promise<Held | undefined>;
    forget(key: string): void;
    findLife(record: KeyRecord): KeyRecord['life'];
};
export declare function createHeldCalls(records: KeyRecords, clock: Clock): HeldCalls;
export {};
