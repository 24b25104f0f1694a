/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Check, type Pass } from './check.js';
import { type ValuePath } from './failure.js';
import { type JsonSchema, type SchemasByName } from './schema.js';
/** One alternative of a union. */
export type Branch = {
    readonly schema: JsonSchema;
    readonly check: Check;
    /** A few words for messages. */
    readonly describe: () => string;
};
/** Reports the failures of the branch that was meant, where that is clear; else one failure of the union. */
export declare function explain(branches: readonly Branch[], value: unknown, path: ValuePath, pass: Pass): false;
/** Returns a schema in a few words: its title, its values, what tells it from others, or its type. Done once, when it is needed. */
export declare function createDescription(schema: JsonSchema, definitions: SchemasByName): () => string;
