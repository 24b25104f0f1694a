/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { KeyStore } from '../router/key-store.js';
/** What a key store has to do. `run` rejects where it does not; `create` gives an empty store. */
export type KeyStoreTest = {
    readonly name: string;
    run(create: () => KeyStore | Promise<KeyStore>): Promise<void>;
};
/**
 * For your own key store, in any test framework:
 * `for (const { name, run } of keyStoreTests) test(name, () => run(createMyStore));`
 */
export declare const keyStoreTests: readonly KeyStoreTest[];
