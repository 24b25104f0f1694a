/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { Body } from './read-body.js';
export type Redactor = (text: string) => string;
/**
 * Returns a function that replaces these secrets in a text, in any letter case. If the text contains an encoded secret,
 * the whole text is replaced. It recognises percent-encoding, JSON and HTML escapes, hex, base64, line wrapping, and
 * any two of these combined. For a secret of 16 or more characters, three quarters of it are enough for a match.
 * Secrets of fewer than 8 characters, and those after the first 200, are not searched for.
 */
export declare function createRedactor(secrets: readonly string[]): Redactor;
/** Returns the UTF-8 bytes of a text, one character each. Doesn't use `TextEncoder`, which jsdom lacks. */
export declare function toUtf8(text: string): string;
/** Returns the value of a JSON body without secrets; `[redacted]` if the redacted text is no longer JSON. */
export declare function redactJson({ value, text }: Body, redact: Redactor): unknown;
/** Returns a thrown value if it contains no secret; else `[redacted]` or, for an error, a redacted copy. */
export declare function redactCause(value: unknown, redact: Redactor, depth?: number): unknown;
