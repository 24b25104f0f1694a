/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Clock } from '../http/clock.js';
import type { Asset } from './find-assets.js';
export type DownloadOptions = {
    /** Largest size in bytes. A longer asset ends the download with an error. */
    readonly maxBytes: number;
    readonly signal?: AbortSignal;
    /** Longest time in milliseconds without a byte, also before the first one. Then the rest is requested. Default: 60,000. */
    readonly idleTimeoutMs?: number;
    /** Maximum number of requests for an asset. Default: 4. */
    readonly maxAttempts?: number;
    /** Allows `http:` addresses, and private ones unless `allowPrivate` is false. For a sandbox. Default: false. */
    readonly allowHttp?: boolean;
    /** Allows addresses of this machine and of private networks. Names are not resolved for the check. Default: false. */
    readonly allowPrivate?: boolean;
    /** Replaces the platform's `fetch`. It must not add a credential. */
    readonly fetch?: (request: Request) => Promise<Response>;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock;
};
export declare class AssetError extends Error {
    readonly name = "AssetError";
    /** Status of the last response; undefined if there was none. */
    readonly status: number | undefined;
    constructor(message: string, { status, cause }?: {
        status?: number | undefined;
        cause?: unknown;
    });
}
/** The bytes. `mediaType` resolves with the first of them: the type that the server states, or else the output. */
export type AssetStream = ReadableStream<Uint8Array> & {
    readonly mediaType: Promise<string | undefined>;
};
/**
 * Downloads an asset as a stream. No credential is sent, since the address is signed or belongs to another party.
 * After a broken connection the rest is requested, if the server supports that. Otherwise the stream ends with an `AssetError`.
 */
export declare function downloadAsset(asset: Asset, options: DownloadOptions): AssetStream;
