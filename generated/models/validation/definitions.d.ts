/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Check } from './check.js';
import type { JsonSchema } from './schema.js';
/**
 * The check of a reference. Each pair of definition and value is decided once in a call: branches that lead to the same definition
 * would otherwise double the work at every level. A pair that needs itself to be decided has no verdict and ends the call.
 */
export declare function followed(schema: JsonSchema, check: Check): Check;
