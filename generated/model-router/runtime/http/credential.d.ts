/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Redactor } from './redactor.js';
/** A secret, or a function that gives the current one. */
export type Secret = string | (() => string | Promise<string>);
type Owned = {
    readonly headers: Readonly<Record<string, string>>;
    readonly owner: string;
};
export type Credential = {
    /** Whether the secret is at hand, so that nothing has to be waited for. */
    readonly isFixed: boolean;
    /** Of one that is at hand, as soon as it was current once. */
    readonly known: Owned | undefined;
    /** The header of the next attempt, and who sends it. */
    current(): Promise<Owned>;
    /** Replaces the secrets that were sent so far, the latest hundred of them, by `[redacted]`. */
    readonly redact: Redactor;
};
export type CredentialSource = {
    /** `Authorization`, which takes a bearer token, or the header of an API key. */
    readonly header: string;
    /** Without one, nothing is sent. */
    readonly secret: Secret | undefined;
    /** Names the owner where secrets change; without it each secret is an owner of its own. */
    readonly scope?: string | undefined;
};
export declare function createCredential({ header, secret: given, scope }: CredentialSource): Credential;
/** A UUID; pages that were not served securely have no `randomUUID`. The digits in between say that it is made by chance. */
export declare function randomKey(): string;
export {};
