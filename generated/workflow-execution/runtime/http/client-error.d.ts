/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The class of a client's errors. The members depend on the kind, which a class cannot express. */
export type ClientError<Facts> = new (message: string, facts: Facts, cause?: unknown) => Error & Facts;
/** True for an error with this brand. */
export declare function hasBrand(value: unknown, name: string): boolean;
/** Creates an error class whose name appears in consoles and stacks. */
export declare function createErrorClass<Facts extends object>(name: string): ClientError<Facts>;
