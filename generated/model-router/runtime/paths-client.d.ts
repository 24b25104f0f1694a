import type { Client } from 'openapi-fetch';
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
export declare function createPathsClient<Paths extends object>(options: PathsClientOptions & ApiKeyOption, apiKeyHeader?: string): PathsClient<Paths>;
