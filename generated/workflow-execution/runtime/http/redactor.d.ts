/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Replaces secrets in a text by `[redacted]`. */
export type Redactor = (text: string) => string;
/**
 * Returns a function that replaces these secrets in a text: plain, percent-encoded, escaped as in JSON or HTML, in hex, base64
 * or base64url, in any letter case, wrapped over lines, and with two of these encodings around each other. A secret of 16 or
 * more characters is also found when a quarter of it is missing at its start or end. Secrets of fewer than eight characters,
 * and those behind the first 200, are not searched for. A text of more than 1,000,000 characters is replaced as a whole.
 */
export declare function createRedactor(secrets: readonly string[]): Redactor;
