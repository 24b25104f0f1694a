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
    /** Ends its signs of life. What is in the queue needs none, since to collect it twice costs nothing. */
    stop: () => Promise<void>;
};
/** The calls that a program works on, which it says again and again. */
export declare function createHeldCalls(records: KeyRecords, clock: Clock): {
    get: (key: string) => Held | undefined;
    /** Works on a call, where the record takes this program for its holder. */
    start(call: StoredCall, write: (holder: string) => Promise<boolean>): Promise<boolean>;
    /** No more signs of life. The call still counts as worked on until `forget`. */
    end(key: string): Promise<Held | undefined>;
    forget: (key: string) => void;
    findLife({ key, holder, life }: KeyRecord): KeyRecord["life"];
};
export {};
