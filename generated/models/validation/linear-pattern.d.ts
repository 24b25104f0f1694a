/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type PatternTree } from './pattern-tree.js';
/** Whether a text has a match anywhere, as `RegExp.prototype.test` would say. `spend` is called with the steps that each character takes. */
export type Matcher = (text: string, spend?: (steps: number) => void) => boolean;
/** Of one pattern. */
export declare const stepsAtMost = 2000;
/**
 * A matcher of an ECMAScript pattern that takes time proportional to the text, whatever the pattern: all ways to match are
 * followed at once, none is tried after another. Undefined for what is no pattern, and for what cannot be matched like that:
 * references to groups, modifiers, and more than 2,000 steps once repetitions are written out. A pattern that is not valid
 * with the Unicode flag is read without it. Generated packages carry this file.
 */
export declare function linearPattern(source: string): Matcher | undefined;
/** The steps of a pattern that has no more than `sizeAtMost`; undefined also for what cannot be matched like that. */
export declare function compilePattern(source: string, sizeAtMost: number): {
    readonly program: Program;
    readonly isUnicode: boolean;
    readonly size: number;
} | undefined;
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
export {};
