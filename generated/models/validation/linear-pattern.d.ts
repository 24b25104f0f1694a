/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type PatternTree } from './pattern-tree.js';
/** Returns what `RegExp.prototype.test` would return. `spend` is called with the steps that each character takes. */
export type Matcher = (text: string, spend?: (steps: number) => void) => boolean;
/** Maximum number of steps of one pattern. */
export declare const stepsAtMost = 2000;
/**
 * A matcher of a pattern that takes time proportional to the text, whatever the pattern: all ways to match are
 * followed at once, none is tried after another. Undefined for a pattern that is left to the server, because
 * `readExpression` does not read it or because it cannot be matched like that: references to groups, modifiers, and
 * more than 2,000 steps once repetitions are written out. Generated packages carry this file.
 */
export declare function linearPattern(source: string): Matcher | undefined;
/** The steps of a pattern that has no more than `sizeAtMost`; undefined also for a pattern that is left to the server. */
export declare function compilePattern(source: string, sizeAtMost?: number): {
    readonly program: Program;
    readonly size: number;
} | undefined;
/** The tree of such a pattern. */
export declare function parseTree(source: string, sizeAtMost: number): PatternTree | undefined;
/**
 * Converts the pattern of a schema to an ECMAScript expression for the `u` flag. Escaped spaces and ASCII punctuation that
 * the flag doesn't allow match the character itself: `\-` is `-` in every engine. Returns undefined for any other pattern
 * that is invalid with the flag. Such patterns are written for other engines; without the flag, ECMAScript would misread
 * them (`\A` as the letter A) or reject them (`(?i)`, `a++`).
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
/** A backward program reads a text from its end. */
export type Program = {
    readonly steps: readonly Step[];
    readonly backward: boolean;
    readonly isAnchored: boolean;
};
/** The program of a tree; a backward one reads a text from its end. */
export declare function compileTree(tree: PatternTree, backward?: boolean): Program;
export {};
