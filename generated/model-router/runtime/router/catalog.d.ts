/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { RouterCall } from './connection.js';
import type { CallIdentity } from './failures.js';
export type CatalogModel = {
    readonly id: string;
    readonly provider: string;
    readonly model: string;
    /** Whether a refusal by content policy is charged; every unknown word counts as `unknown`. */
    readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
    /** Where its schema document is, where the listing says so. The client reads it with `schema(id)`. */
    readonly inputSchemaUrl?: string;
    /** The entry as it came, with the raw word and members that nobody knows. */
    readonly raw: Readonly<Record<string, unknown>>;
};
export type SchemaAnswer = {
    readonly notModified: true;
    readonly etag: string;
} | {
    readonly notModified: false;
    readonly etag: string | undefined;
    readonly document: unknown;
};
/** Every model, page by page. A listing is no snapshot: models may be added behind the current position. */
export declare function listModels(limit: number | undefined, startPage: () => RouterCall): AsyncGenerator<CatalogModel, void, void>;
type Identity = CallIdentity & {
    readonly model: string;
};
export declare function readModel(identity: Identity, call: RouterCall): Promise<CatalogModel>;
/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export declare function readSchema(identity: Identity, known: string | undefined, call: RouterCall): Promise<SchemaAnswer>;
export {};
