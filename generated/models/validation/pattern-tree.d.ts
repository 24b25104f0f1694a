/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** A parsed pattern. `size` is the number of steps after expanding repetitions. */
export type PatternTree = {
    readonly size: number;
} & ({
    readonly kind: 'character';
    readonly fits: (character: number) => boolean;
} | {
    readonly kind: 'edge';
    readonly holds: EdgeTest;
} | {
    readonly kind: 'look';
    readonly part: PatternTree;
    readonly ahead: boolean;
    readonly expected: boolean;
} | {
    readonly kind: 'sequence' | 'choice';
    readonly parts: readonly PatternTree[];
} | {
    readonly kind: 'repeat';
    readonly part: PatternTree;
    readonly least: number;
    readonly most: number;
});
/** Tests a position by the characters on both sides; `noCharacter` at the ends of the text. */
type EdgeTest = (before: number, after: number) => boolean;
export declare const noCharacter = -1;
export declare const startsText: EdgeTest;
/**
 * Parses a pattern that is valid with the `u` flag. Returns undefined if it refers to groups, has more than 100 nested
 * groups, or has modifiers.
 */
export declare function parsePattern(source: string): PatternTree | undefined;
export {};
