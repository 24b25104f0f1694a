/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type RouterOf } from '../router/connection.js';
import type { ModelRouterOptions } from '../router/options.js';
import type { RouterClient } from '../router/router-types.js';
/** Returns a router with other options. Shares the key store, limits, middleware and credential, unless they change. */
export declare function withOptions<Models>(router: RouterOf<Models>, changes: ModelRouterOptions): RouterClient<Models>;
