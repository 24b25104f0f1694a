/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Returns why an address is refused; undefined if it is allowed. */
export declare function explainAddress(address: string, { allowHttp, allowPrivate }: {
    readonly allowHttp: boolean;
    readonly allowPrivate: boolean;
}): string | undefined;
