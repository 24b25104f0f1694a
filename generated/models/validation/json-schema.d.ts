/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A schema of objects, as JSON Schema 2020-12. */
export type JsonObjectSchema = {
    readonly type: 'object';
    readonly [keyword: string]: unknown;
};
type Members = {
    [keyword: string]: unknown;
};
/** A schema as JSON Schema draft 7, which agents and editors of forms ask for. */
export declare function toDraft07(schema: JsonObjectSchema): Members;
export {};
