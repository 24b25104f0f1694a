/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type CallOptions } from '../http/call.js';
import { connectionOf, type RouterOf } from '../router/connection.js';
export type CatalogModel = {
    readonly id: string;
    readonly provider: string;
    readonly model: string;
    /** Whether a refusal by content policy is charged; every unknown word counts as `unknown`. */
    readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
    /** The address of its schema document, where the listing has it. `readModelSchema` reads it. */
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
export type CatalogOptions = CallOptions & {
    /** The size of a page. */
    readonly limit?: number | undefined;
};
/**
 * Lists every model, page by page. Models may be added behind the current position meanwhile. Without `deadlineMs` each page has a
 * deadline of its own, since the program decides how long it works on an entry.
 */
export declare function listModels({ [connectionOf]: client }: RouterOf<unknown>, options?: CatalogOptions): AsyncGenerator<CatalogModel, void, void>;
/** Reads one page of the catalog; `cursor` is the `nextCursor` of the page before. */
export declare function listModelsPage({ [connectionOf]: client }: RouterOf<unknown>, options?: CatalogOptions & {
    readonly cursor?: string | undefined;
}): Promise<CatalogPage>;
/** Reads the entry of one model. */
export declare function readModel({ [connectionOf]: client }: RouterOf<unknown>, model: string, options?: CallOptions): Promise<CatalogModel>;
/** Reads the schema document of a model; with `etag`, only if it changed. Nothing is cached. */
export declare function readModelSchema({ [connectionOf]: client }: RouterOf<unknown>, model: string, options?: CallOptions & {
    readonly etag?: string | undefined;
}): Promise<SchemaAnswer>;
