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
/** Reports the failures of the branch that was probably meant, or else one failure of the union. */
export declare function explain(branches: readonly Branch[], value: unknown, path: ValuePath, pass: Pass): false;
/** Describes a schema in a few words, when they are needed: its title, its values, its discriminator, or its type. */
export declare function createDescription(schema: JsonSchema, definitions: SchemasByName): () => string;
