import type { Check } from './check.js';
import { type SchemaObject } from './schema.js';
export declare function checkType({ type }: SchemaObject): Check | undefined;
export declare function checkEnum(schema: SchemaObject): Check | undefined;
export declare function checkNumbers(schema: SchemaObject): Check | undefined;
export declare function checkText(schema: SchemaObject): Check | undefined;
/** Published patterns may need the dialect without the `u` flag; a pattern that is valid in neither refuses nothing. */
export declare function readPattern(pattern: string): RegExp | undefined;
export declare function all(checks: readonly Check[]): Check | undefined;
