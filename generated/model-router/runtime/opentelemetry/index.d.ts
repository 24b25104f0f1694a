/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Middleware, RouterObservers } from '../router/observers.js';
/**
 * For `router.use`: a span for each call by the conventions for generative AI, within it a span for each attempt by those for HTTP, and
 * `traceparent` with each request. Without an SDK that the program sets up, nothing is recorded.
 */
export declare function openTelemetry(): RouterObservers & {
    readonly middleware: Middleware;
};
