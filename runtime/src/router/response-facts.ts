import { readRetryAfterMs } from '../http/clock.ts';
import { omitUndefined } from '../http/omit-undefined.ts';

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
export function readResponseFacts(headers: Headers, brand: string, redact: (text: string) => string): ResponseFacts {
  const text = (name: string): string | undefined => redact(headers.get(name) ?? '') || undefined;
  const number = (name: string): number | undefined => {
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
function readSentences(header: string | undefined): readonly string[] | string | undefined {
  if (header === undefined) return undefined; // `JSON.parse(undefined)` would throw, which is slow.
  try {
    const once: unknown = JSON.parse(header);
    const value: unknown = typeof once === 'string' ? JSON.parse(once) : once;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  } catch {
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
] as const;
export type KnownCategory = (typeof knownCategories)[number];

/** Category of an error, and the values it was read from. */
export type ErrorCategory = {
  /** `internal_error` if the value is missing or unknown. */
  readonly known: KnownCategory;
  readonly header?: string | undefined;
  readonly body?: string | undefined;
};

// The header has priority over the body (MR-ERR-26).
export function readCategory(header: string, body: unknown, redact: (text: string) => string): ErrorCategory {
  const inBody = typeof body === 'string' ? body : '';
  const raw = header === '' ? inBody : header.split(',')[0]; // A proxy may repeat the header.
  return {
    known: knownCategories.find((one) => one === raw) ?? 'internal_error',
    header: redact(header) || undefined,
    body: redact(inBody) || undefined,
  };
}

export type QueuedAddresses = {
  readonly requestId: string;
  readonly statusUrl: string;
  readonly responseUrl: string;
  readonly cancelUrl: string;
};
