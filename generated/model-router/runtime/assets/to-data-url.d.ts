/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * A file as text, for an input that takes an address: `data:image/png;base64,…`. The API names no ceiling, and models differ, so the caller
 * sets one.
 */
export declare function toDataUrl(blob: Blob, { maxBytes }: {
    readonly maxBytes: number;
}): Promise<string>;
