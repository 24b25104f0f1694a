/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type CallIdentity } from './router-error.js';
import type { AnyModel, NothingImported } from './router-types.js';
export declare const toModel: (target: string | AnyModel | NothingImported) => AnyModel;
export declare const splitId: (id: string) => string[];
/** Returns the URL of the call's model. Throws a `local` error for an id that is not `provider/model`. */
export declare function modelUrl(baseUrl: string, call: CallIdentity & {
    readonly model: string;
}): string;
/** Returns a query string with its question mark; empty without values. */
export declare function formatQuery(values: Readonly<Record<string, string | undefined>>): string;
