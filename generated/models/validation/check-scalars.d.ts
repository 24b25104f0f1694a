/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Call, type Check, type Pass, type PatternReader } from './check.js';
import type { ValuePath } from './failure.js';
import { type SchemaObject } from './schema.js';
export declare function checkType({ type }: SchemaObject): Check | undefined;
export declare function checkEnum(schema: SchemaObject): Check | undefined;
export declare function checkNumbers(schema: SchemaObject): Check | undefined;
export declare function checkText(schema: SchemaObject, readPattern: PatternReader): Check | undefined;
/** Checks of the least and the greatest number of parts that a value of the type has. */
export declare function checkCount<Value>(bounds: readonly [least: number | undefined, greatest: number | undefined], noun: 'characters' | 'items' | 'fields', isOfType: (value: unknown) => value is Value, count: (value: Value, call: Call) => number): Check[];
/** For a pattern that cannot be run. */
export declare function leaveOpen(_value: unknown, _path: ValuePath, { call }: Pass): true;
