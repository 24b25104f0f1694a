/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type CallIdentity } from './failures.js';
import type { ValidateInput } from './options.js';
/**
 * Returns the body of a run. Rejects an input that JSON would change, because that would be another run, and billed.
 */
export declare function printInput(input: unknown, identity: CallIdentity): string;
/** Throws the error that the service would return for an invalid input. */
export declare function refuseInvalid(sent: string, validate: ValidateInput, identity: CallIdentity): void;
