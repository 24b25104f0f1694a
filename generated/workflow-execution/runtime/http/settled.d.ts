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
export type SettledMethods<Of extends Methods, Failure> = {
    [Name in keyof Of]: (...args: Parameters<Of[Name]>) => Promise<Settled<Awaited<ReturnType<Of[Name]>>, Failure>>;
};
/** The same methods, with the errors of their client as values. Any other one is a mistake in the program, and is thrown. */
export declare function settled<Of extends Methods, Failure>(methods: Of, isFailure: (error: unknown) => error is Failure): SettledMethods<Of, Failure>;
export {};
