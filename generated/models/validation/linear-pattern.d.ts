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
 * The pattern of a schema as an ECMAScript expression with the Unicode flag. An escape that this flag does not allow, of
 * ASCII punctuation or a space, stands for the character itself: `\-` is `-` in every engine. Undefined for all else that
 * is invalid with the flag. Other engines write it, and without the flag ECMAScript takes it for something else:
 * `\A` for the letter, `(?i)` or `a++` for an error.
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
