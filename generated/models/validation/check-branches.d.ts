/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Check, type Compile } from './check.js';
import type { SchemaObject, SchemasByName } from './schema.js';
export declare function checkAllOf({ allOf }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkAnyOf({ anyOf }: SchemaObject, compile: Compile, named: SchemasByName): Check | undefined;
export declare function checkOneOf({ oneOf }: SchemaObject, compile: Compile, named: SchemasByName): Check | undefined;
export declare function checkNot({ not }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkConditional(schema: SchemaObject, compile: Compile): Check | undefined;
