/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Keyword } from './check.js';
export declare const checkAllOf: Keyword;
export declare const checkAnyOf: Keyword;
export declare const checkOneOf: Keyword;
export declare const checkNot: Keyword;
export declare const checkConditional: Keyword;
