/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { CallOptions } from '../http/call.js';
import type { QueueState } from './queue-state.js';
import type { FieldFailure } from './router-error.js';
export type KeyOptions = {
    /**
     * Names the run: the same call with the same key finds it again, also after a crash and from another process with the same key store.
     * 1 to 255 visible ASCII characters. Without it, every call is a new run under a key of its own. `false` sends no key, and then
     * nothing is ever repeated.
     */
    readonly idempotencyKey?: string | false | undefined;
};
export type SettleOptions = {
    /**
     * Keeps the call in `pending()` until the result's `settle()` is called, so that a crash before you have stored the result
     * loses nothing.
     */
    readonly settle?: 'manual' | undefined;
};
export type PollOptions = CallOptions & {
    /** The shortest time between two questions; a longer `Retry-After` decides. Grows from half a second by default. */
    readonly pollEveryMs?: number | undefined;
};
/** Left out: `data` is the output. `stream`: a stream of bytes; a break in it is the caller's to handle. */
export type As = 'stream' | undefined;
export type OutputOptions<Given extends As = As> = SettleOptions & {
    readonly as?: Given;
};
export type SubmitOptions = CallOptions & KeyOptions & {
    /** Checks the input before it is sent: the `validateInput` that the model's subpath exports. */
    readonly validate?: ValidateInput | undefined;
};
export type RunOptions<Given extends As = As> = SubmitOptions & OutputOptions<Given>;
/** Another provider of the same model. With `strictMode` its own input is sent, and its own output returned. */
export type ProviderOptions<Provider = string | undefined, Fallback = string | undefined, Strict = boolean | undefined> = {
    readonly modelProvider?: Provider;
    readonly fallbackProvider?: Fallback;
    readonly strictMode?: Strict;
};
export type ResumeOptions = PollOptions & SettleOptions & {
    /** Of a call that `needsInput`: the same input as before. */
    readonly input?: unknown;
};
export type SubscribeOptions<Given extends As = As> = PollOptions & RunOptions<Given> & {
    readonly onStatus?: ((state: QueueState) => void) | undefined;
    /** Asks the service to cancel the request when the signal is aborted or the deadline passes. */
    readonly cancelOnAbort?: boolean | undefined;
};
export type ValidateInput = (input: unknown) => {
    readonly valid: true;
} | {
    readonly valid: false;
    readonly detail: readonly FieldFailure[];
};
