/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Class of a client's errors. Their members depend on `kind`, which a class can't express. */
export type ClientError<Facts> = new (message: string, facts: Facts, cause?: unknown) => Error & Facts;
export declare function hasBrand(value: unknown, name: string): boolean;
export declare function createErrorClass<Facts extends object>(name: string): ClientError<Facts>;
export type Settled<Result, Failure> = ({
    readonly ok: true;
    readonly error?: undefined;
} & Result) | {
    readonly ok: false;
    readonly error: Failure;
};
/** Resolves to `{ ok: false, error }` for an error of the client. Rejects for any other error, which is a bug. */
export declare function settle<Result extends object, Failure>(work: Promise<Result>, isFailure: (error: unknown) => error is Failure): Promise<Settled<Result, Failure>>;
