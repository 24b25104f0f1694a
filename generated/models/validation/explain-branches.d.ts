/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Check, type Pass, type ValuePath } from './check.js';
import type { JsonSchema, SchemasByName } from './schema.js';
/** One alternative of a union. */
export type Branch = {
    readonly schema: JsonSchema;
    readonly check: Check;
};
/**
 * Reports the failures of the branch that was probably intended, or else one failure of the union with all
 * alternatives.
 */
export declare function explain(branches: readonly Branch[], definitions: SchemasByName, value: unknown, path: ValuePath, pass: Pass): false;
