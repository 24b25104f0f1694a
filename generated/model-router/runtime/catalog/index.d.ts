/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type CallOptions } from '../http/call.js';
import { type RouterOf } from '../router/connection.js';
export type CatalogModel = {
    readonly id: string;
    readonly provider: string;
    readonly model: string;
    /** `yes` if a content-policy rejection is charged. Any other value from the service becomes `unknown`. */
    readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
    /** URL of the schema document, if the listing has it. Use `readModelSchema` to read it. */
    readonly inputSchemaUrl?: string;
    /** The unchanged entry, including unknown members. */
    readonly raw: Readonly<Record<string, unknown>>;
};
/** A page of the catalog. `nextCursor` is undefined on the last page. */
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
    readonly limit?: number | undefined;
};
/** Lists all models; one that is added meanwhile may be missed. Default deadline: 2 minutes for each page. */
export declare function listModels(router: RouterOf<unknown>, options?: CatalogOptions): AsyncGenerator<CatalogModel, void, void>;
/** Reads one page of the catalog. `cursor`: `nextCursor` of the previous page. */
export declare function listModelsPage(router: RouterOf<unknown>, options?: CatalogOptions & {
    readonly cursor?: string | undefined;
}): Promise<CatalogPage>;
/** Reads the entry of one model. */
export declare function readModel(router: RouterOf<unknown>, model: string, options?: CallOptions): Promise<CatalogModel>;
/** Reads the schema document of a model; with `etag`, only if it changed. Nothing is cached. */
export declare function readModelSchema(router: RouterOf<unknown>, model: string, options?: CallOptions & {
    readonly etag?: string | undefined;
}): Promise<SchemaAnswer>;
