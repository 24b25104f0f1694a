/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** A secret, or a function that returns the current one. */
export type Secret = string | (() => string | Promise<string>);
/** Secret of an attempt, and the headers to send it in. */
export type Access = {
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
};
export type Credential = {
    /** True if the secret is the same in every attempt. */
    readonly isFixed: boolean;
    /** Returns the current secret. Rejects if the caller's function does. */
    read(): Promise<Access>;
    /**
     * Returns a name for the owner of the calls: the scope, a fingerprint of a fixed secret, or a random name for this
     * client.
     */
    owner(): Promise<string>;
    /** Redacts the three latest secrets, and those that a call has sent. */
    redact(text: string, sent: ReadonlySet<string>): string;
};
export type CredentialSource = {
    /** `Authorization` for a bearer token, or the header of an API key. */
    readonly header: string;
    /** Undefined if no credential is sent. */
    readonly secret: Secret | undefined;
    readonly scope?: string | undefined;
};
export declare function createCredential({ header, secret: given, scope }: CredentialSource): Credential;
export declare const toHex: (bytes: Uint8Array) => string;
/** Returns a random UUID. Insecure pages have no `randomUUID`. */
export declare function randomKey(): string;
