/** The key a request carries; undefined when it carries none. */
export function requestKey(request: Request): string | undefined {
  return request.headers.get('idempotency-key') ?? undefined;
}
