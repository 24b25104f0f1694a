/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A secret, or a function that gives the current one. */
export type Secret = string | (() => string | Promise<string>);
/** The secret of an attempt, and the headers that carry it. */
export type Access = {
    readonly secret: string;
    readonly headers: Readonly<Record<string, string>>;
};
export type Credential = {
    /** True for a secret that is the same in every attempt. */
    readonly isFixed: boolean;
    /** The current secret. Rejects as the function does that gives it. */
    read(): Promise<Access>;
    /**
     * Names the owner of its calls: the scope where there is one, a fingerprint of a fixed secret, and otherwise this client only, since a
     * later secret may have another owner.
     */
    owner(): Promise<string>;
    /** Takes out of a text the latest three secrets that were read, and those that a call has sent, which may be older. */
    redact(text: string, sent: ReadonlySet<string>): string;
};
export type CredentialSource = {
    /** `Authorization`, which takes a bearer token, or the header of an API key. */
    readonly header: string;
    /** Without one, nothing is sent. */
    readonly secret: Secret | undefined;
    readonly scope?: string | undefined;
};
export declare function createCredential({ header, secret: given, scope }: CredentialSource): Credential;
export declare const toHex: (bytes: Uint8Array) => string;
/** A UUID; pages that were not served securely have no `randomUUID`. The digits in between say that it is made by chance. */
export declare function randomKey(): string;
