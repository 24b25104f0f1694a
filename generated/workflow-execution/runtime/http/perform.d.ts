/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Dialect, type Sending, type Work } from './attempt.js';
/** Sends a request until its outcome is known. Throws errors of its client only. */
export declare function perform<Result>(call: Sending, dialect: Dialect<Result>, work: Work): Promise<Result>;
