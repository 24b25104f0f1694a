/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
/**
 * Adapts a `Request → Response` handler, such as `createModelRouterProxy` returns, to Express, Connect and `node:http`.
 * The signal of the request aborts when the caller disconnects.
 */
export declare function toNodeHandler(handler: (request: Request) => Promise<Response>): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
