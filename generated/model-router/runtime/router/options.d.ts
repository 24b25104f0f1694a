/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { CallOptions } from '../http/connection.js';
import type { QueueState } from './queue-state.js';
import type { FieldFailure } from './router-error.js';
export type KeyOptions = {
    /** 1 to 255 visible ASCII characters; a UUID by default. `false` sends none, and then nothing is ever repeated. */
    readonly key?: string | false | undefined;
    /** Starts a new run although an identical earlier call ended without a known outcome. */
    readonly fresh?: boolean | undefined;
};
export type SettleOptions = {
    /**
     * Keeps the call in `pending()` until the result's `settle()` is called, so that a crash before you have stored the result
     * loses nothing.
     */
    readonly settle?: 'manual' | undefined;
};
export type PollOptions = CallOptions & {
    /** The shortest time between two questions, in milliseconds; a longer `Retry-After` decides. Grows from half a second by default. */
    readonly pollEvery?: number | undefined;
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
export type ResumeOptions = PollOptions & SettleOptions;
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
