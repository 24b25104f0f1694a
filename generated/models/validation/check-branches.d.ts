import { type Check, type Compile, type Run } from './check.js';
import { type ValuePath } from './failure.js';
import type { SchemaObject } from './schema.js';
export declare function checkAllOf({ allOf }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkAnyOf({ anyOf }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkOneOf({ oneOf }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkNot({ not }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkConditional(schema: SchemaObject, compile: Compile): Check | undefined;
type At = {
    path: ValuePath;
    run: Run;
};
/** Runs a check whose evaluated members count only when it passes. */
export declare function isolated(check: Check, value: unknown, { path, run }: At): boolean;
export {};
