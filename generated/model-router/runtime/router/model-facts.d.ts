/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { AnyModel } from './router-types.js';
export declare function toModel(target: string | AnyModel): AnyModel;
/** What the response of a run may be; undefined where nothing is known of it, as for other providers. */
export declare function findMediaTypes({ outputMediaTypes }: Omit<AnyModel, 'id'>, other: {
    readonly modelProvider?: unknown;
    readonly fallbackProvider?: unknown;
}): readonly string[] | undefined;
