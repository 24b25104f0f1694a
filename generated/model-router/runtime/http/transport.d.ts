/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * Called like the platform's `fetch`, with these of its options. A `Request` in their place would be copied, which takes
 * longer than the rest of a call, and packages that have a `fetch` of their own do not take the platform's.
 */
export type Transport = (url: string, init: TransportOptions) => Promise<Response>;
export type TransportOptions = {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | null;
    readonly redirect: 'manual';
    /** For a read, where the platform has it: some platforms cache reads. */
    readonly cache?: 'no-store';
    readonly signal: AbortSignal;
};
/** Headers by name; `undefined` means the same as leaving out. */
export type GivenHeaders = Readonly<Record<string, string | undefined>>;
/**
 * The headers of a request, of which a later one replaces an earlier one of its name; or the name of one that no platform sends. Checked
 * here, since the platform's `Headers` takes longer than the rest of the call.
 */
export declare function mergeHeaders(...parts: readonly (GivenHeaders | undefined)[]): Record<string, string> | string;
