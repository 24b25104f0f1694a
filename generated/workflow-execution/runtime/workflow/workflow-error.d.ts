/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Failure } from '../http/call.js';
import { type ClientError } from '../http/client-error.js';
import { type Settled } from '../http/settle.js';
/** The codes that the API documents name; later ones are kept as they come (WX-COD-27). */
export declare const knownCodes: readonly ["invalid_workflow", "workflow_format_ui", "missing_asset", "hash_mismatch", "blob_not_found", "idempotency_key_reuse", "queue_full", "insufficient_credits", "not_found", "unauthorized", "forbidden", "deployment_not_ready", "deployment_stopped", "rate_limited", "upstream_error"];
export type KnownCode = (typeof knownCodes)[number];
type Every = {
    readonly jobId: string;
    /** True if sending the same call again may succeed. */
    readonly isRetryable: boolean;
    readonly attempts: number;
};
type Answered = Every & {
    readonly status: number;
    readonly retryAfterMs: number | undefined;
};
/** The members of an error, by kind. */
export type WorkflowErrorFacts = ({
    readonly kind: 'workflow';
    /** Undefined for a code that this client does not know; `rawCode` has it. */
    readonly code: KnownCode | undefined;
    readonly rawCode: string;
    /** The same in the words of the other client: `known`, and the word as it came. */
    readonly category: {
        readonly known: KnownCode | undefined;
        readonly body: string;
    };
    /** Absent where the service sent none or null. */
    readonly details?: Readonly<Record<string, unknown>>;
    /** The members of the envelope that this client does not know. */
    readonly unknownMembers: Readonly<Record<string, unknown>>;
} & Answered)
/** A status of an error whose body is not the envelope: HTML, plain text, truncated or empty. */
 | ({
    readonly kind: 'opaque';
    readonly excerpt: string;
} & Answered)
/** A status of success whose body is not a workflow. The body is not repeated here, since workflows may hold credentials. */
 | ({
    readonly kind: 'decode';
} & Answered) | ({
    readonly kind: 'network';
} & Every) | ({
    readonly kind: 'timeout';
    readonly deadlineMs: number;
} & Every) | ({
    readonly kind: 'aborted';
} & Every)
/** Refused before anything was sent. */
 | ({
    readonly kind: 'local';
} & Every);
/** The one error that the client throws; `kind` decides its members. */
export type WorkflowError = Error & WorkflowErrorFacts;
export declare const WorkflowError: ClientError<WorkflowErrorFacts>;
/** True for an error of this client, or of another copy of it. */
export declare function isWorkflowError(value: unknown): value is WorkflowError;
/** Returns the error of a call as a value: `{ ok: true, …result }` or `{ ok: false, error }`. */
export declare const safe: <Result extends object>(call: Promise<Result>) => Promise<Settled<Result, WorkflowError>>;
/** The error of a call that no answer decided. */
export declare function fail({ jobId }: {
    readonly jobId: string;
}, failure: Failure): WorkflowError;
export declare const writeMessage: (jobId: string, message: string) => string;
export {};
