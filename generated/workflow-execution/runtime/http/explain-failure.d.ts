/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Connection, WorkOf } from './connection.js';
/** What a call throws where a wait of it ended with `error`. */
export declare function explainEnd(error: unknown, call: {
    readonly attempts?: number;
    readonly isOpen?: boolean;
}, work: WorkOf<Connection, object>): unknown;
/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
export declare function explainCause(cause: unknown): {
    code: string;
    isUnsent: boolean;
    isFinal: boolean;
};
/** What an attempt without an answer says, as the facts of an error with its words. */
export declare function explainLoss(lost: unknown, redact: (text: string) => string): {
    text: string;
    isFinal: boolean;
    facts: {
        kind: string;
        deadlineMs: any;
        redact: (text: string) => string;
        cause: any;
        isOpen: boolean;
    };
} | {
    text: string;
    isFinal: boolean;
    facts: {
        redact: (text: string) => string;
        cause: any;
        isOpen: boolean;
        kind: string;
    };
};
