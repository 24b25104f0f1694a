import { readRetryAfterMs } from '../http/clock.ts';
import { present } from '../http/present.ts';

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
export function readResponseFacts(headers: Headers, brand: string, redact: (text: string) => string): ResponseFacts {
  const text = (name: string): string | undefined => redact(headers.get(name) ?? '') || undefined;
  const number = (name: string): number | undefined => {
    const value = headers.get(name)?.trim() ?? '';
    return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  const committedSpend = present({
    limitCents: number('x-committed-spend-limit'),
    currentCents: number('x-committed-spend-current'),
    remainingCents: number('x-committed-spend-remaining'),
  });
  return {
    replayed: /^\s*true\s*$/i.test(headers.get('idempotent-replayed') ?? ''),
    ...present({
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

/** JSON, of which some servers write two layers (MR-HDR-06). */
function readSentences(header: string | undefined): readonly string[] | string | undefined {
  if (header === undefined) return undefined; // an error would take longer than all else that is read here
  try {
    const once: unknown = JSON.parse(header);
    const value: unknown = typeof once === 'string' ? JSON.parse(once) : once;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  } catch {
    // A header that is not JSON is shown as it came.
  }
  return header;
}

/** The categories that the API documents name; the set grows (MR-ERR-27). */
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
export function readCategory(header: string, body: unknown, redact: (text: string) => string): Category {
  const inBody = typeof body === 'string' ? body : '';
  const raw = header === '' ? inBody : header.split(',')[0]; // a proxy may send it twice
  return {
    known: knownCategories.find((one) => one === raw) ?? 'internal_error',
    header: redact(header) || undefined,
    body: redact(inBody) || undefined,
  };
}

/** Where a queued request is read, collected and cancelled. */
export type QueuedAddresses = {
  readonly requestId: string;
  readonly statusUrl: string;
  readonly responseUrl: string;
  readonly cancelUrl: string;
};
