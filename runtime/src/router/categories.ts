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
