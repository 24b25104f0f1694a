/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type FormatChecks, type JsonSchema, type PatternReader, type ValidationFailure } from './check.js';
export type ValidationOptions = {
    /** Format checks by name. Without them, `format` is only an annotation. */
    readonly formats?: FormatChecks;
    /** Maximum number of steps; the rest is left to the server. Default: two million, about a tenth of a second. */
    readonly maxSteps?: number;
};
export type ValidationResult = {
    readonly valid: true;
    readonly value: unknown;
} | {
    readonly valid: false;
    readonly detail: readonly ValidationFailure[];
};
export type Validator = {
    accepts(value: unknown, options?: ValidationOptions): boolean;
    validate(value: unknown, options?: ValidationOptions): ValidationResult;
};
/** Creates a validator, which compiles on first use and evaluates no code. Unreadable patterns are not checked. */
export declare function createValidator(schema: JsonSchema, readPattern?: PatternReader): Validator;
