/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The facts in the headers of a response. A header that is missing or malformed leaves its member out. */
export type ResponseFacts = {
    /** The id of the request, for support; each response has its own. */
    readonly requestId?: string;
    /** True when a recorded result was returned and nothing ran anew. */
    readonly replayed: boolean;
    /** The provider that served the call after a fallback. */
    readonly fallbackProvider?: string;
    /** Fields that a conversion could not express: one sentence each, or the raw header where it cannot be read. */
    readonly droppedParameters?: readonly string[] | string;
    /** A reservation for calls in flight, in whole cents; not a price. */
    readonly committedSpend?: CommittedSpend;
    /** A note of some providers; not a price, and absent from replays. */
    readonly credits?: number;
    /** Status of the provider behind the router. */
    readonly upstreamStatus?: number;
    /** The wait that the service asks for. */
    readonly retryAfterMs?: number;
};
export type CommittedSpend = {
    readonly limitCents?: number;
    readonly currentCents?: number;
    readonly remainingCents?: number;
};
/** `brand` replaces the word Service of the API documents, as in `X-Service-Request-Id`. */
export declare function readResponseFacts(headers: Headers, brand: string, redact: (text: string) => string): ResponseFacts;
/** The categories that the API documents name; the set grows (MR-ERR-27). */
export declare const knownCategories: readonly ["invalid_input", "content_policy_violation", "provider_error", "provider_timeout", "insufficient_credits", "model_not_found", "unauthorized", "forbidden", "concurrency_limit_exceeded", "client_disconnected", "internal_error", "deadline_exceeded", "not_enabled", "service_unavailable", "rate_limited", "cancelled", "queue_timeout", "request_not_found"];
export type KnownCategory = (typeof knownCategories)[number];
/** The category on which decisions are made, and the words it was read from. */
export type Category = {
    /** `internal_error` if the word is missing or unknown. */
    readonly known: KnownCategory;
    /** As in the header. */
    readonly header?: string | undefined;
    /** As in the body. */
    readonly body?: string | undefined;
};
/** The header decides before the body (MR-ERR-26). Its words are shown, and may repeat a credential. */
export declare function readCategory(header: string, body: unknown, redact: (text: string) => string): Category;
/** Where a queued request is read, collected and cancelled. */
export type QueuedAddresses = {
    readonly requestId: string;
    readonly statusUrl: string;
    readonly responseUrl: string;
    readonly cancelUrl: string;
};
