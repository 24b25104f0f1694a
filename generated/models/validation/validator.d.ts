/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type FormatChecks, type PatternReader } from './check.js';
import { type ValidationFailure } from './failure.js';
import { type JsonSchema } from './schema.js';
export type ValidationOptions = {
    /** Checks of formats, by name; without them `format` is an annotation. */
    readonly formats?: FormatChecks;
    /**
     * How many steps a call may take, by default two million: a tenth of a second. Each member, item, alternative and failure takes
     * some, and each part of a schema that is applied to one; long texts take one for every few characters. A pattern that would take
     * more, and the rest of the value then, are left to the server.
     */
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
/**
 * The validator of a schema, compiled on first use. Nothing is evaluated as code. Patterns are read by `readPattern`; one that it
 * does not read is left to the server.
 */
export declare function createValidator(schema: JsonSchema, readPattern?: PatternReader): Validator;
