/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { KeyStore } from '../router/key-store.js';
/** `run` rejects where a place does not do what `name` says; `create` gives an empty one. */
export type PlaceTest<Place> = {
    readonly name: string;
    run(create: () => Place | Promise<Place>): Promise<void>;
};
/** What a `KeyStore` has to do, in any test framework: `for (const { name, run } of keyStoreTests) test(name, () => run(createMyStore));` */
export declare const keyStoreTests: readonly PlaceTest<KeyStore>[];
