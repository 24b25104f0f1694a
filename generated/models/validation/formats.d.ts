/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { FormatChecks } from './check.js';
/** Checks of formats, for callers that assert formats; an unlisted format refuses nothing. */
export declare const formats: FormatChecks;
