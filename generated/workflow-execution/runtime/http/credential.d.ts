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
export type Access = {
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
};
export type Credential = {
    read(): Promise<Access>;
    /** Returns the scope, a fingerprint of a fixed secret, or a random name for this client. */
    owner(): Promise<string>;
    /** Redacts the three latest secrets, and those that a call has sent. */
    redact(text: string, sent: ReadonlySet<string>): string;
};
/** `header`: `Authorization` for a bearer token, or the header of an API key. Without `secret`, no credential is sent. */
export declare function createCredential({ header, secret: given, scope, }: {
    readonly header: string;
    readonly secret: Secret | undefined;
    readonly scope?: string | undefined;
}): Credential;
export declare const toHex: (bytes: Uint8Array) => string;
/** Returns a random UUID. Insecure contexts have no `randomUUID`. */
export declare function randomKey(): string;
