/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
type Found = {
    /** The path in the output, outermost step first; a number is an index. Made anew each time it is read. */
    readonly path: readonly (string | number)[];
    /** As stated by the output, or for inline bytes by their `data:` address or the response. Not checked. */
    readonly mediaType?: string;
};
/** Something in an output that can be saved as a file. */
export type Asset = Found & ({
    readonly kind: 'url';
    readonly url: string;
    /**
     * In milliseconds since the epoch. An upper bound: the address may expire earlier. Missing if nothing is known, as for
     * every replayed result and every address of a provider.
     */
    readonly validUntilAtMost?: number;
} | {
    readonly kind: 'inline';
    readonly bytes: Uint8Array;
});
/** Models whose assets the service copies to its own storage, as you know from your operator. */
export type Hosting = {
    /** Ids, or prefixes of ids that end in `/`. */
    readonly models: readonly string[];
    /** Origins of the storage. Other addresses belong to providers. */
    readonly origins: readonly string[];
    /** Validity of the links in milliseconds. */
    readonly validForMs: number;
};
export type FindOptions = {
    readonly model: string;
    /** Time when the response arrived, in milliseconds since the epoch. */
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
