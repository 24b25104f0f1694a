/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** A part of an output that can be saved as a file. */
export type Asset = {
    /** Path in the output, outermost step first; a number is an index. Computed on each read. */
    readonly path: readonly (string | number)[];
    /** Media type from the output, or for inline bytes from their `data:` URL or the response. Not verified. */
    readonly mediaType?: string;
} & AssetContent;
type AssetContent = {
    readonly kind: 'url';
    readonly url: string;
} | {
    readonly kind: 'inline';
    readonly bytes: Uint8Array;
};
/** Finds every URL and every inline asset in an output. URLs expire, so download soon. */
export declare function findAssets({ data, mediaType }: {
    readonly data: unknown;
    readonly mediaType?: string;
}): Asset[];
export {};
