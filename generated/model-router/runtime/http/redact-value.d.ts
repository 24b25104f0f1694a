/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Redactor } from './redactor.js';
/**
 * Returns JSON, or an error with its causes, without secrets in its texts and in the names of its members. A value that has
 * none, and that can be searched as a whole, is returned itself. The copy of an error is an `Error` with its name, message,
 * stack, code, cause and errors; in it, bytes and instances of other classes are replaced by the name of their class.
 */
export declare function redactValue(value: unknown, redact: Redactor): unknown;
