/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Answer, Deadline } from './attempt.js';
import type { Session } from './connection.js';
import { type CallIdentity } from './failures.js';
import { type StoredCall } from './key-store.js';
import { settleResult } from './settling.js';
export type KeyOptions = {
    /** 1 to 255 visible ASCII characters; a UUID by default. `false` sends none, and then nothing is ever repeated. */
    readonly key?: string | false | undefined;
    /** Starts a new run although an identical earlier call ended without a known outcome. */
    readonly fresh?: boolean | undefined;
};
export type BilledRequest = CallIdentity & {
    readonly operation: 'run' | 'submit';
    readonly model: string;
    readonly url: string;
    readonly body: string;
    readonly stream?: boolean;
};
/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export declare function sendBilled(request: BilledRequest, { options, time }: {
    options: KeyOptions;
    time: Deadline;
}, session: Session): Promise<Answer & {
    readonly key?: string;
}>;
/** The same answer of a run, whose key is forgotten as its caller wishes. */
export declare function settleRun<Of extends Answer & {
    readonly key?: string;
}>(answer: Of, { request, settle }: {
    request: CallIdentity;
    settle: 'manual' | undefined;
}, { keys }: Session): ReturnType<typeof settleResult<Of>>;
/** Sends a call that is in the store, for the first time or again. */
export declare function sendStored(stored: StoredCall, { request, time, isNew }: {
    request: BilledRequest;
    time: Deadline;
    isNew: boolean;
}, { connection, keys }: Session): Promise<Answer>;
