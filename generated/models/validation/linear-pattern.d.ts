/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type PatternTree } from './pattern-tree.js';
/** Tests a text like `RegExp.prototype.test`. Calls `spend` with the number of steps for each character. */
export type Matcher = (text: string, spend?: (steps: number) => void) => boolean;
/** Maximum number of steps of one pattern. */
export declare const maxSteps = 2000;
/**
 * Creates a matcher for a pattern. Matching takes time proportional to the text, because all alternatives are followed
 * at once, without backtracking. Returns undefined for a pattern that only the server can check: one that
 * `readExpression` doesn't accept, that has modifiers or references to groups, or that has more than 2,000 steps after
 * expanding repetitions. Generated packages contain this file.
 */
export declare function linearPattern(source: string): Matcher | undefined;
/** Compiles a pattern with at most `maxSize` steps; undefined for a larger or unsupported pattern. */
export declare function compilePattern(source: string, maxSize?: number): {
    readonly program: Program;
    readonly size: number;
} | undefined;
/** Parses a pattern with at most `maxSize` steps into a tree; undefined for a larger or unsupported pattern. */
export declare function parseTree(source: string, maxSize: number): PatternTree | undefined;
/**
 * Converts the pattern of a schema to an ECMAScript expression for the `u` flag. The flag doesn't allow some escaped
 * spaces and ASCII punctuation; they match the character itself, because `\-` is `-` in every engine. Returns undefined
 * for any other pattern that is invalid with the flag. Such patterns are written for other engines; without the flag,
 * ECMAScript would misread them (`\A` as the letter A) or reject them (`(?i)`, `a++`).
 */
export declare function readExpression(source: string): string | undefined;
export type Step = Extract<PatternTree, {
    kind: 'character' | 'edge';
}> | {
    readonly kind: 'look';
    readonly program: Program;
    readonly expected: boolean;
} | Fork | {
    readonly kind: 'match';
};
type Fork = {
    readonly kind: 'fork';
    to: number[];
};
/** A compiled pattern. A backward program reads the text from its end. */
export type Program = {
    readonly steps: readonly Step[];
    readonly backward: boolean;
    readonly isAnchored: boolean;
};
/** Compiles a tree to a program. A backward program reads the text from its end. */
export declare function compileTree(tree: PatternTree, backward?: boolean): Program;
export {};
