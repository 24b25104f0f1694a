/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/**
 * Called like the platform's `fetch`, with these of its options. Creating a `Request` takes longer than the rest of a call, and packages
 * with a `fetch` of their own don't accept that of the platform.
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
/** Headers by name; `undefined` is the same as leaving one out. */
export type GivenHeaders = Readonly<Record<string, string | undefined>>;
/**
 * Returns the headers of a request; later ones replace earlier ones. If one cannot be sent, returns its name. The platform's `Headers`
 * takes longer than the rest of the call.
 */
export declare function mergeHeaders(...parts: readonly (GivenHeaders | undefined)[]): Record<string, string> | string;
