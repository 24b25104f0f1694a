/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
type Found = {
    /** Where it was found, outermost part first; a number is an index. Made anew each time it is read. */
    readonly path: readonly (string | number)[];
    /** As the output says beside it, or for inline bytes their `data:` address or the response; nobody checked it. */
    readonly mediaType?: string;
};
/** Something in an output that can be saved as a file. */
export type Asset = Found & ({
    readonly kind: 'url';
    readonly url: string;
    /**
     * In milliseconds since the epoch. An upper bound and no promise: the address may end earlier. Absent where nothing is
     * known, which is so for every replayed result and for every address of a provider.
     */
    readonly validUntilAtMost?: number;
} | {
    readonly kind: 'inline';
    readonly bytes: Uint8Array;
});
/** Models whose assets the service copies to its own storage, as far as you know. */
export type Hosting = {
    /** Ids, or a start of ids that ends in `/`. */
    readonly models: readonly string[];
    /** Origins of the storage; an address elsewhere is a provider's. */
    readonly origins: readonly string[];
    readonly hours: number;
};
export type FindOptions = {
    readonly model: string;
    /** When the response arrived, in milliseconds since the epoch. */
    readonly receivedAt: number;
    readonly hosting?: readonly Hosting[];
};
/** Every address and every inline asset of an output; each is looked at by itself, since copies are made one by one. */
export declare function findAssets(result: {
    readonly data: unknown;
    readonly replayed: boolean;
    readonly mediaType?: string;
}, options: FindOptions): Asset[];
export {};
