/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { ModelRouterOptions } from './options.js';
import type { RouterClient } from './router-types.js';
/** Facts of the API that a package was generated with. */
export type RouterFacts = {
    /** The word in header names for which the API documents write Service. */
    readonly brand: string;
    readonly apiKeyHeader: string;
};
/** The factory that a package exports. */
export declare function createModelRouterFor<Models>(facts: RouterFacts): (options?: ModelRouterOptions) => RouterClient<Models>;
