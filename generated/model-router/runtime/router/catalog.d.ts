/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { CallIdentity } from './failures.js';
import { type RouterCall } from './policy.js';
export type CatalogModel = {
    readonly id: string;
    readonly provider: string;
    readonly model: string;
    /** Whether a refusal by content policy is charged; every unknown word counts as `unknown`. */
    readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
    /** The address of its schema document, where the listing has it. The client reads it with `schema(id)`. */
    readonly inputSchemaUrl?: string;
    /** The entry as it came, with the raw word and unknown members. */
    readonly raw: Readonly<Record<string, unknown>>;
};
/** One page of the catalog. `nextCursor` leads to the next one; undefined on the last. */
export type CatalogPage = {
    readonly models: readonly CatalogModel[];
    readonly nextCursor: string | undefined;
};
export type SchemaAnswer = {
    readonly notModified: true;
    readonly etag: string;
} | {
    readonly notModified: false;
    readonly etag: string | undefined;
    readonly document: unknown;
};
/** Every model, page by page. A listing is not a snapshot: models may be added behind the current position. */
export declare function listModels(limit: number | undefined, startPage: () => RouterCall): AsyncGenerator<CatalogModel, void, void>;
/** One page. `seen` has the cursors of earlier ones. */
export declare function readPage({ limit, cursor }: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
}, call: RouterCall, seen?: ReadonlySet<string>): Promise<CatalogPage>;
type Identity = CallIdentity & {
    readonly model: string;
};
export declare function readModel(identity: Identity, call: RouterCall): Promise<CatalogModel>;
/** The schema document of a model, or word that the one with this entity tag still holds. Nothing is cached here. */
export declare function readSchema(identity: Identity, known: string | undefined, call: RouterCall): Promise<SchemaAnswer>;
export {};
