/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { FormatChecks } from './check.js';
/** Format checks, for callers that want formats to be validated. Formats that are not listed accept everything. */
export declare const formats: FormatChecks;
