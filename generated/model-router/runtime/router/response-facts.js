/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { readRetryAfterMs } from '../http/clock.js';
import { omitUndefined } from '../http/omit-undefined.js';
/** Reads the facts in headers. `brand` replaces the word `Service` in `X-Service-Request-Id`. */
export function readResponseFacts(headers, brand, redact) {
    const text = (name) => redact(headers.get(name) ?? '') || undefined;
    const number = (name) => {
        const value = headers.get(name)?.trim() ?? '';
        return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
    };
    const committedSpend = omitUndefined({
        limitCents: number('x-committed-spend-limit'),
        currentCents: number('x-committed-spend-current'),
        remainingCents: number('x-committed-spend-remaining'),
    });
    return {
        replayed: /^\s*true\s*$/i.test(headers.get('idempotent-replayed') ?? ''),
        ...omitUndefined({
            requestId: text(`x-${brand}-request-id`),
            fallbackProvider: text(`x-${brand}-router-fallback-provider`),
            droppedParameters: readSentences(text(`x-${brand}-router-dropped-params`)),
            committedSpend: Object.keys(committedSpend).length === 0 ? undefined : committedSpend,
            credits: number(`x-${brand}-credits-used`),
            upstreamStatus: number(`x-${brand}-upstream-status`),
            retryAfterMs: readRetryAfterMs(headers),
        }),
    };
}
// Some servers encode the JSON twice (MR-HDR-06).
function readSentences(header) {
    if (header === undefined)
        return undefined; // `JSON.parse(undefined)` would throw, which is slow.
    try {
        const once = JSON.parse(header);
        const value = typeof once === 'string' ? JSON.parse(once) : once;
        if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
            return value;
    }
    catch {
        // The header is not JSON: return it unchanged.
    }
    return header;
}
/** The categories of the API documents. The service may add more. */
export const knownCategories = [
    'invalid_input',
    'content_policy_violation',
    'provider_error',
    'provider_timeout',
    'insufficient_credits',
    'model_not_found',
    'unauthorized',
    'forbidden',
    'concurrency_limit_exceeded',
    'client_disconnected',
    'internal_error',
    'deadline_exceeded',
    'not_enabled',
    'service_unavailable',
    'rate_limited',
    'cancelled',
    'queue_timeout',
    'request_not_found',
];
// The header has priority over the body (MR-ERR-26).
export function readCategory(header, body, redact) {
    const inBody = typeof body === 'string' ? body : '';
    const raw = header === '' ? inBody : header.split(',')[0]; // A proxy may repeat the header.
    return {
        known: knownCategories.find((one) => one === raw) ?? 'internal_error',
        header: redact(header) || undefined,
        body: redact(inBody) || undefined,
    };
}
