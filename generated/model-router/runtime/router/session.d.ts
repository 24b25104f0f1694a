/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { TimeLimit } from './call.js';
import type { Connection } from './connection.js';
import type { KeyStore } from './key-store.js';
import type { CallOptions } from './router-types.js';
/** A client at work: what its calls share, and where it keeps its keys. */
export type Session = {
    readonly connection: Connection;
    readonly store: KeyStore;
};
export declare function limitOf({ signal, deadlineMs }: CallOptions, { connection }: Session, usualMs?: number): TimeLimit;
