/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallIdentity } from './failures.js';
import type { QueuedAddresses } from './response-facts.js';
/** Provider and model of an id; nothing for another text. */
export declare const splitId: (id: string) => string[];
/** The address of the model of a call, from its id `{provider}/{model}` (MR-CAT-33). Throws a `local` error for anything else. */
export declare function modelUrl(baseUrl: string, call: CallIdentity & {
    readonly model: string;
}): string;
/** The addresses that the API documents give to a request id. */
export declare function buildAddresses(baseUrl: string, model: string, requestId: string): QueuedAddresses;
/** With its question mark; empty when no value is given. */
export declare function formatQuery(values: Readonly<Record<string, string | undefined>>): string;
