/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/**
 * Called like the platform's `fetch`, with a subset of its options. Creating a `Request` would take longer than the
 * rest of a call, and packages with their own `fetch` don't accept the platform's `Request`.
 */
export type Transport = (url: string, init: TransportOptions) => Promise<Response>;
export type TransportOptions = {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | null;
    readonly redirect: 'manual';
    /** For reads, if the platform has the option: Next.js caches them. */
    readonly cache?: 'no-store';
    readonly signal: AbortSignal;
};
/** Headers by name; `undefined` is the same as omitting one. */
export type GivenHeaders = Readonly<Record<string, string | undefined>>;
/**
 * Returns the headers of a request; later ones replace earlier ones. Returns the name of a header that is invalid. The
 * platform's `Headers` would take longer than the rest of the call.
 */
export declare function mergeHeaders(...parts: readonly (GivenHeaders | undefined)[]): Record<string, string> | string;
