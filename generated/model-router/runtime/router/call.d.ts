/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Answer, type Call, type Deadline } from './attempt.js';
import type { PollOptions } from './call-options.js';
import type { Connection } from './connection.js';
import { type CallIdentity } from './failures.js';
import type { RouterError } from './router-error.js';
/** What a call has to keep to, from now on. */
export declare function startDeadline(options: PollOptions, connection: Connection, usualMs?: number): Deadline;
/** Sends a call until its outcome is known, as the table of retry outcomes says. Throws a `RouterError`. */
export declare function perform(call: Call, connection: Connection): Promise<Answer>;
/** What a call throws where a wait of it ended with `error`. */
export declare function explainEnd(error: unknown, call: CallIdentity & {
    time: Deadline;
}, attempts: number): unknown;
/** Who a call belongs to, where it is asked for before anything is sent. */
export declare function readOwner(call: CallIdentity, time: Deadline, connection: Connection): Promise<string>;
export declare function anotherOwner(call: CallIdentity, attempts: number): RouterError;
