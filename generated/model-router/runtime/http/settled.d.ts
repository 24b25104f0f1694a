/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** An outcome as a value: the members of the result, or the error. */
export type Settled<Result, Failure> = ({
    readonly ok: true;
    readonly error?: undefined;
} & Result) | {
    readonly ok: false;
    readonly error: Failure;
};
type Methods = {
    readonly [name: string]: (...args: never[]) => object;
};
export type SettledMethods<All extends Methods, Failure> = {
    [Name in keyof All]: (...args: Parameters<All[Name]>) => Promise<Settled<Awaited<ReturnType<All[Name]>>, Failure>>;
};
/** The same methods, with the errors of their client as values. Any other one is a mistake in the program, and is thrown. */
export declare function settled<All extends Methods, Failure>(methods: All, isFailure: (error: unknown) => error is Failure): SettledMethods<All, Failure>;
export {};
