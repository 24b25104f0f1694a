/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Keyword } from './check.js';
/** In order of precedence: only the first failure of a field is reported, and `enum` explains more than `type`. */
export declare const keywords: readonly Keyword[];
/** Checks the members and items that no other part of the schema has evaluated. */
export declare const checkUnevaluated: Keyword;
