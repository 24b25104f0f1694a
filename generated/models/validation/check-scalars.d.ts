/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Check, PatternReader } from './check.js';
import { type SchemaObject } from './schema.js';
export declare function checkType({ type }: SchemaObject): Check | undefined;
export declare function checkEnum(schema: SchemaObject): Check | undefined;
export declare function checkNumbers(schema: SchemaObject): Check | undefined;
export declare function checkText(schema: SchemaObject, readPattern: PatternReader): Check | undefined;
export declare function all(checks: readonly Check[]): Check | undefined;
