/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { KeyRecords } from '../key-store/key-records.js';
import { type PlaceTest } from './place-test.js';
/** What `KeyRecords` of your own have to do, in any test framework: `for (const { name, run } of keyRecordsTests) test(name, () => run(createMyRecords));` */
export declare const keyRecordsTests: readonly PlaceTest<KeyRecords>[];
