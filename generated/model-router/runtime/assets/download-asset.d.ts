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
    /** Maximum size in bytes. The download of a larger asset fails. */
    readonly maxBytes: number;
    readonly signal?: AbortSignal;
    /** Maximum time without a byte, in milliseconds; then the missing bytes are requested. Default: 60,000. */
    readonly idleTimeoutMs?: number;
    /** Maximum number of requests for an asset. Default: 4. */
    readonly maxAttempts?: number;
    /** Allow `http:` URLs, and private addresses unless `allowPrivate` is false. For use with a sandbox. Default: false. */
    readonly allowHttp?: boolean;
    /** Allow addresses of this machine and of private networks. The check doesn't resolve host names. Default: false. */
    readonly allowPrivate?: boolean;
    /** Replaces the platform's `fetch`. It must not add a credential. */
    readonly fetch?: (request: Request) => Promise<Response>;
    /** Replaces the waits between attempts, and randomness, in tests. The idle timeout always uses real time. */
    readonly clock?: Clock;
};
export declare class AssetError extends Error {
    readonly name = "AssetError";
    readonly status: number | undefined;
    constructor(message: string, { status, cause }?: {
        status?: number | undefined;
        cause?: unknown;
    });
}
/** The bytes of an asset. `mediaType` resolves at the first byte: the server's media type, or else that of the output. */
export type AssetStream = ReadableStream<Uint8Array> & {
    readonly mediaType: Promise<string | undefined>;
};
/** Downloads an asset without a credential. If the connection breaks, requests the missing bytes, or fails. */
export declare function downloadAsset(asset: Asset, options: DownloadOptions): AssetStream;
