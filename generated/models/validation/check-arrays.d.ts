/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Check, type Compile } from './check.js';
import type { SchemaObject } from './schema.js';
export declare function checkItems({ prefixItems, items }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkLength({ minItems, maxItems, uniqueItems }: SchemaObject): Check | undefined;
export declare function checkContains(schema: SchemaObject, compile: Compile): Check | undefined;
