/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Call, type Client } from './call.js';
import { type Body } from './read-body.js';
import { type GivenHeaders } from './transport.js';
/** A request that is sent until its outcome is known. */
export type Question<Identity> = {
    readonly identity: Identity;
    /** What events of an attempt say of it. */
    readonly facts: object;
    readonly method?: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers?: GivenHeaders;
    readonly body?: string | undefined;
    /** Of one attempt; a minute by default. */
    readonly timeoutMs?: number;
    /** Of a body; the client's `maxResponseBytes` by default. */
    readonly maxBytes?: number;
    /** Leaves the body of a 200 or 201 to the caller. */
    readonly isStream?: boolean | undefined;
    /** Whether it may be sent again at all. */
    readonly isRepeatable?: boolean;
    /** The service works on it already, so that waiting for it costs nothing. */
    readonly isAdmitted?: boolean;
    /** Of a key: when nothing may be sent with it any more, by the wall clock, and what that is called. */
    readonly expiry?: {
        readonly at: number;
        readonly message: string;
    } | undefined;
};
/** What has become of a question so far. */
export type Progress = {
    /** How often it was sent. */
    attempts: number;
    /** The address without secrets, for observers. */
    shownUrl: string;
    /** When the latest attempt began. */
    sentAt: number;
    /** How many repetitions count. */
    repetitions: number;
    waitedMs: number;
    /** An attempt is under way, or may have reached what is billed: nothing that comes later takes that back. */
    isOpen: boolean;
    mayHaveRun: boolean;
    isAdmitted: boolean;
};
/** A response with its body, of which a stream can be ended. */
export type Answer = {
    readonly response: Response;
    readonly body: Body;
    readonly end: (why?: unknown) => void;
};
/** An attempt without an answer. */
export type Loss = {
    readonly kind: 'network' | 'timeout' | 'local';
    readonly message: string;
    readonly cause: unknown;
    readonly deadlineMs: number;
    /** Nothing reached the service. */
    readonly isUnsent: boolean;
    /** It will be so again. */
    readonly isFinal: boolean;
};
/** What follows an attempt. As `isTold` by the server, a repetition uses up no attempt. Without `seconds`, back off. */
export type Decision<Result> = {
    /** For observers. */
    readonly facts?: object | undefined;
    /** For observers: the category of an error. */
    readonly type?: string | undefined;
} & ({
    readonly result: Result;
} | {
    readonly error: Error;
    readonly next: {
        readonly isTold: boolean;
        readonly seconds?: number | undefined;
    } | undefined;
    readonly mayHaveRun?: boolean;
    readonly isAdmitted?: boolean;
});
/** What an API makes of attempts. */
export type Policy<Result> = {
    readonly decide: (attempt: Answer | Loss, progress: Progress) => Decision<Result>;
    /** Waits for a place, for so long at most; what it gives leaves the place. */
    readonly enter?: ((limitMs: number) => Promise<() => void>) | undefined;
};
/** Sends a question until its outcome is known. Rejects with errors of its client only. */
export declare function send<Result, Identity>(question: Question<Identity>, policy: Policy<Result>, call: Call<Client<Identity>>): Promise<Result>;
/** What a call rejects with where a wait of it ended with `error`. */
export declare function explainEnd<Identity>(error: unknown, identity: Identity, state: {
    readonly attempts: number;
    readonly isOpen: boolean;
    readonly status?: number;
    readonly requestId?: string | undefined;
}, { client, signal, deadlineMs: wholeMs, redact }: Call<Client<Identity>>): unknown;
/** Why an attempt has no answer. */
export declare function explainLoss(lost: unknown, isSent: boolean, { redact }: Pick<Call<Client<never>>, 'redact'>): Loss;
