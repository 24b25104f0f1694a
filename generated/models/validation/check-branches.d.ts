import { type Check, type Compile, type Run } from './check.js';
import { type Place } from './failure.js';
import type { SchemaObject } from './schema.js';
export declare function checkAllOf({ allOf }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkAnyOf({ anyOf }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkOneOf({ oneOf }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkNot({ not }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkConditional(schema: SchemaObject, compile: Compile): Check | undefined;
type At = {
    place: Place;
    run: Run;
};
/** What a part that fails has described does not count. */
export declare function apart(check: Check, value: unknown, { place, run }: At): boolean;
export {};
