/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** `run` rejects where a place does not do what `name` says; `create` gives an empty one. */
export type PlaceTest<Place> = {
    readonly name: string;
    run(create: () => Place | Promise<Place>): Promise<void>;
};
export declare function defineTest<Place>(name: string, check: (place: Place) => Promise<void>): PlaceTest<Place>;
export declare function expect(value: unknown, wanted: unknown): void;
