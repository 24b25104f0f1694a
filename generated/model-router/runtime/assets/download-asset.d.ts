/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from '../http/clock.js';
import type { Asset } from './find-assets.js';
export type DownloadOptions = {
    /** A longer asset ends the download with an error. */
    readonly maxBytes: number;
    readonly signal?: AbortSignal;
    /** How long the server may give nothing, also before its first byte; a minute by default. Then the rest is asked for. */
    readonly idleTimeoutMs?: number;
    /** How often the asset is asked for; 4 by default. */
    readonly maxAttempts?: number;
    /** Addresses without encryption are refused by default; one of a sandbox may be private then, too. */
    readonly allowHttp?: boolean;
    /** Addresses of this machine and of private networks are refused by default. Names are not resolved for it. */
    readonly allowPrivate?: boolean;
    /** Replaces the platform's `fetch`. Hand in none that adds a credential. */
    readonly fetch?: (request: Request) => Promise<Response>;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock;
};
export declare class AssetError extends Error {
    readonly name = "AssetError";
    /** Of the last response; undefined when there was none. */
    readonly status: number | undefined;
    constructor(message: string, { status, cause }?: {
        status?: number | undefined;
        cause?: unknown;
    });
}
/** The bytes, and as soon as they begin to come, what they are: as their server says, or else the output. */
export type AssetStream = ReadableStream<Uint8Array> & {
    readonly mediaType: Promise<string | undefined>;
};
/**
 * The bytes of an asset as a stream. No credential is ever sent: the address is a signed one, or another party's.
 * A break is mended by asking for the rest, where the server can give it; the stream ends with an `AssetError` otherwise.
 */
export declare function downloadAsset(asset: Asset, options: DownloadOptions): AssetStream;
