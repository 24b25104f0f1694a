/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallIdentity } from './failures.js';
import type { AnyModel } from './router-types.js';
/** The facts of a model that a caller named by them or by its id. */
export declare const toModel: (target: string | AnyModel) => AnyModel;
/** Provider and model of an id; nothing for another text. */
export declare const splitId: (id: string) => string[];
/** The address of the model of a call, from its id `{provider}/{model}` (MR-CAT-33). Throws a `local` error for anything else. */
export declare function modelUrl(baseUrl: string, call: CallIdentity & {
    readonly model: string;
}): string;
/** With its question mark; empty when no value is given. */
export declare function formatQuery(values: Readonly<Record<string, string | undefined>>): string;
