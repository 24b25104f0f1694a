/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallIdentity } from './failures.js';
import type { ValidateInput } from './options.js';
/** The body of a run. An input that JSON would change is refused: the run would be another one, and billed. */
export declare function printInput(input: unknown, identity: CallIdentity): string;
/** Refuses what the service would refuse, with the same error. */
export declare function refuseInvalid(sent: string, validate: ValidateInput, identity: CallIdentity): void;
