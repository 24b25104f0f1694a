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
