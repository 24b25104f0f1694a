/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Settled } from './router-types.js';
type Methods = {
    readonly [name: string]: (...args: never[]) => Promise<object>;
};
type SettledMethods<Of extends Methods> = {
    [Name in keyof Of]: (...args: Parameters<Of[Name]>) => Promise<Settled<Awaited<ReturnType<Of[Name]>>>>;
};
/** The same methods, with their errors as values. */
export declare function settled<Of extends Methods>(methods: Of): SettledMethods<Of>;
export {};
