/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Session } from './connection.js';
import type { RouterOperation } from './router-error.js';
/** What a method was called with, as far as it can be checked. */
export type Invocation = {
    readonly operation: RouterOperation;
    readonly model?: string | undefined;
    readonly options: object | undefined;
    /** The names of its options beside those of every call, with a space between. */
    readonly takes?: string;
};
/** A misspelled option would change nothing, and nobody would see it. */
export declare function checkOptions({ operation, model, options, takes }: Invocation): void;
export declare function namesKey(headers: object): boolean;
/** One call of a method: with checked options, an id of its own, and observers that see its start and its end. */
export declare function watchCall<Result>(session: Session, invocation: Invocation, work: (session: Session) => Promise<Result>): Promise<Result>;
