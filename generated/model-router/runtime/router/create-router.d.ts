/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Connection, type RouterFacts } from './connection.js';
import type { ModelRouterOptions } from './options.js';
import { type RouterClient } from './router-types.js';
export declare function createModelRouterFor<Models>(facts: RouterFacts): (options?: ModelRouterOptions) => RouterClient<Models>;
export declare const submitOptions: string[];
export declare const outputOptions: string[];
export declare function createRouter<Models>(connection: Connection): RouterClient<Models>;
