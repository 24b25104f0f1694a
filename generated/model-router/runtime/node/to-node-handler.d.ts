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
 * Adapts a `Request → Response` handler to Express, Connect and `node:http`. The signal of the request aborts when the
 * caller disconnects. An error goes to `next`; without `next`, it is logged and answered with 500.
 */
export declare function toNodeHandler(handler: (request: Request) => Promise<Response>): (incoming: IncomingMessage, outgoing: ServerResponse, next?: (error: unknown) => void) => Promise<void>;
