import type { Client } from 'openapi-fetch';
export type PathsClientOptions = {
    /** Without the `/v2` or `/api/v2` that every path brings. */
    readonly baseUrl: string;
    /** Sent as `X-API-Key`; the service lets it win over a token. */
    readonly apiKey?: string;
    /** Sent as `Authorization: Bearer`. */
    readonly token?: string;
    /** In place of the platform's own. */
    readonly fetch?: (request: Request) => Promise<Response>;
};
/** One typed method per HTTP method, over the paths of an API; answers come back as `{ data, error, response }`. */
export type PathsClient<Paths extends object> = Client<Paths>;
export declare function createPathsClient<Paths extends object>(options: PathsClientOptions): PathsClient<Paths>;
