/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Whether a text has a match anywhere, as `RegExp.prototype.test` would say. `spend` is called with the steps that each character takes. */
export type Matcher = (text: string, spend?: (steps: number) => void) => boolean;
/**
 * A matcher of an ECMAScript pattern that takes time proportional to the text, whatever the pattern: all ways to match are
 * followed at once, none is tried after another. Undefined for what is no pattern, and for what cannot be matched like that:
 * references to groups, modifiers, and more than 2,000 steps once repetitions are written out. A pattern that is not valid
 * with the Unicode flag is read without it. Generated packages carry this file.
 */
export declare function linearPattern(source: string): Matcher | undefined;
