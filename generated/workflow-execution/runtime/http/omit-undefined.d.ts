/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
type Defined<Members> = {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
};
export declare function omitUndefined<Members extends object>(members: Members): Defined<Members>;
export {};
