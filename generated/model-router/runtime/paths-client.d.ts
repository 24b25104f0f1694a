/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Client } from 'openapi-fetch';
export type PathsClientOptions = {
    /** Base URL without `/v2` or `/api/v2`, which are part of the paths. */
    readonly baseUrl: string;
    /** Sent as `Authorization: Bearer`. */
    readonly token?: string;
    /** Replaces the platform's `fetch`. */
    readonly fetch?: (request: Request) => Promise<Response>;
};
/** Option for APIs that have an API-key header. */
export type ApiKeyOption = {
    /** Sent in the API-key header. The service prefers it to a token. */
    readonly apiKey?: string;
};
export type PathsClient<Paths extends object> = Client<Paths>;
/** Creates an openapi-fetch client with the credential. It has no retries, idempotency keys, deadlines or limits. */
export declare function createPathsClient<Paths extends object>({ baseUrl, token, fetch, apiKey }: PathsClientOptions & ApiKeyOption, apiKeyHeader?: string): PathsClient<Paths>;
