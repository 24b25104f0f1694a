/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
type Found = {
    /** Path in the output, outermost step first; a number is an index. Computed on each read. */
    readonly path: readonly (string | number)[];
    /** Media type from the output, or for inline bytes from their `data:` URL or the response. Not verified. */
    readonly mediaType?: string;
};
/** A part of an output that can be saved as a file. */
export type Asset = Found & ({
    readonly kind: 'url';
    readonly url: string;
    /**
     * Milliseconds since the epoch; the link may expire earlier. Missing for replayed results and providers' links.
     */
    readonly validUntilAtMost?: number;
} | {
    readonly kind: 'inline';
    readonly bytes: Uint8Array;
});
/** Models whose assets the service copies to its own storage. Your operator can tell you which. */
export type Hosting = {
    /** Ids, or prefixes of ids that end in `/`. */
    readonly models: readonly string[];
    /** Origins of the storage. All other addresses belong to providers. */
    readonly origins: readonly string[];
    /** Validity of the links in milliseconds. */
    readonly validForMs: number;
};
export type FindOptions = {
    readonly model: string;
    /** Time of the response, in milliseconds since the epoch. */
    readonly receivedAt: number;
    readonly hosting?: readonly Hosting[];
};
/** Finds every address and every inline asset of an output. */
export declare function findAssets(result: {
    readonly data: unknown;
    readonly replayed: boolean;
    readonly mediaType?: string;
}, options: FindOptions): Asset[];
export {};
