/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Body } from './read-body.js';
/** Takes secrets out of a text. */
export type Redactor = (text: string) => string;
/**
 * Returns a function that replaces these secrets in a text, in any letter case. A text that holds an encoded secret is withheld as
 * a whole: percent-encoded, escaped as in JSON or HTML, in hex or base64, wrapped over lines, or with two of these around each
 * other. A secret of 16 or more characters is also found when a quarter of it is missing at its start or end. Secrets of fewer
 * than eight characters, and those behind the first 200, are not searched for.
 */
export declare function createRedactor(secrets: readonly string[]): Redactor;
/** The value of a JSON body without secrets; withheld where it cannot be JSON without them. */
export declare function redactJson({ value, text }: Body, redact: Redactor): unknown;
/**
 * Returns what was thrown, without secrets: itself where it holds none and can be searched as a whole. Otherwise an error becomes a
 * copy with its name, message, stack, code and cause, and any other value is withheld.
 */
export declare function redactCause(value: unknown, redact: Redactor, depth?: number): unknown;
