/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { RouterError } from './router-error.js';
type Methods = {
    readonly [name: string]: (...args: never[]) => Promise<object>;
};
type SettledMethods<Of extends Methods> = {
    [Name in keyof Of]: (...args: Parameters<Of[Name]>) => Promise<({
        readonly ok: true;
    } & Awaited<ReturnType<Of[Name]>>) | {
        readonly ok: false;
        readonly error: RouterError;
    }>;
};
/** The same methods, with their errors as values. */
export declare function settled<Of extends Methods>(methods: Of): SettledMethods<Of>;
export {};
