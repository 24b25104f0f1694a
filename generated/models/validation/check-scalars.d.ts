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
/** Checks of the least and the greatest number of parts; `countOf` is undefined for a value that has none to count. */
export declare function checkCount(bounds: readonly [least: number | undefined, greatest: number | undefined], noun: 'characters' | 'items' | 'fields', countOf: (value: unknown) => number | undefined): Check[];
export declare function all(checks: readonly Check[]): Check | undefined;
