/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Check, type Compile, type PatternReader } from './check.js';
import { type SchemaObject } from './schema.js';
export declare function checkRequired({ required, dependentRequired }: SchemaObject): Check | undefined;
export declare function checkDependents({ dependentSchemas }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkMembers(schema: SchemaObject, compile: Compile, readPattern: PatternReader): Check | undefined;
export declare function checkNames({ propertyNames }: SchemaObject, compile: Compile): Check | undefined;
export declare function checkMemberCount({ minProperties, maxProperties }: SchemaObject): Check | undefined;
/** Checks the members and items that no other part of the schema has evaluated. */
export declare function checkUnevaluated(schema: SchemaObject, compile: Compile): Check | undefined;
