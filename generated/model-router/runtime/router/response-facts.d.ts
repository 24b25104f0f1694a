/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Facts from the headers of a response. A member is missing if its header is missing or malformed. */
export type ResponseFacts = {
    readonly requestId?: string;
    /** True for a recorded result; this call started no run. */
    readonly replayed: boolean;
    /** Provider that ran the model after a fallback. */
    readonly fallbackProvider?: string;
    /** Parameters that a conversion dropped: a sentence for each, or the raw header if it is malformed. */
    readonly droppedParameters?: readonly string[] | string;
    /** Amount reserved for calls in flight, in whole cents; not a price. */
    readonly committedSpend?: CommittedSpend;
    /** Reported by some providers; not a price, and missing in replays. */
    readonly credits?: number;
    /** HTTP status of the provider. */
    readonly upstreamStatus?: number;
    readonly retryAfterMs?: number;
};
export type CommittedSpend = {
    readonly limitCents?: number;
    readonly currentCents?: number;
    readonly remainingCents?: number;
};
/** Reads the facts in headers. `brand` replaces the word `Service` in `X-Service-Request-Id`. */
export declare function readResponseFacts(headers: Headers, brand: string, redact: (text: string) => string): ResponseFacts;
/** The categories of the API documents. The service may add more. */
export declare const knownCategories: readonly ["invalid_input", "content_policy_violation", "provider_error", "provider_timeout", "insufficient_credits", "model_not_found", "unauthorized", "forbidden", "concurrency_limit_exceeded", "client_disconnected", "internal_error", "deadline_exceeded", "not_enabled", "service_unavailable", "rate_limited", "cancelled", "queue_timeout", "request_not_found"];
export type KnownCategory = (typeof knownCategories)[number];
/** Category of an error, and the values it was read from. */
export type ErrorCategory = {
    /** `internal_error` if the value is missing or unknown. */
    readonly known: KnownCategory;
    readonly header?: string | undefined;
    readonly body?: string | undefined;
};
export declare function readCategory(header: string, body: unknown, redact: (text: string) => string): ErrorCategory;
export type QueuedAddresses = {
    readonly requestId: string;
    readonly statusUrl: string;
    readonly responseUrl: string;
    readonly cancelUrl: string;
};
