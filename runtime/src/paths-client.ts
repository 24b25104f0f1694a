import type { Client } from 'openapi-fetch';
import createClient from 'openapi-fetch';

export type PathsClientOptions = {
  /** Without `/v2` or `/api/v2`, which the paths include. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
};

/** Of an API that takes a key in a header of its own. */
export type ApiKeyOption = {
  /** Sent in that header; the service prefers it to a token. */
  readonly apiKey?: string;
};

/** One typed method per HTTP method, over the paths of an API; each returns `{ data, error, response }`. */
export type PathsClient<Paths extends object> = Client<Paths>;

/** `apiKeyHeader`: where the API takes an API key; without it a key is not sent. */
export function createPathsClient<Paths extends object>(
  options: PathsClientOptions & ApiKeyOption,
  apiKeyHeader?: string,
): PathsClient<Paths> {
  const { apiKey } = options;
  return createClient<Paths>({
    baseUrl: options.baseUrl,
    // Platforms follow a redirect to another origin with `X-API-Key`, and neither API has redirects.
    redirect: 'error',
    headers: {
      ...(apiKey === undefined || apiKeyHeader === undefined ? {} : { [apiKeyHeader]: apiKey }),
      ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
    },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
}
