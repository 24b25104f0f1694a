/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The class of a client's errors. Its members depend on the kind, which a class cannot express. */
export type ClientError<Facts> = new (message: string, facts: Facts, cause?: unknown) => Error & Facts;
/** Told apart by a brand instead of a class, since a program may hold two copies of a package. */
export declare function hasBrand(value: unknown, name: string): boolean;
/** The class has a name of its own, which consoles and stacks show. */
export declare function createErrorClass<Facts extends object>(name: string): ClientError<Facts>;
