/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallIdentity } from './failures.js';
import type { InputValidator } from './options.js';
import type { AnyModel } from './router-types.js';
/** The body of a run. What JSON would change without a word is refused: the run would be another one, and billed. */
export declare function printInput(input: unknown, identity: CallIdentity): string;
/** Refuses what the service would refuse, with the same error. An input that the router does not check has no schema. */
export declare function refuseInvalid(sent: string, validate: true | InputValidator['validate'], identity: CallIdentity, { loadValidator, inputAuthored }: AnyModel): Promise<void>;
