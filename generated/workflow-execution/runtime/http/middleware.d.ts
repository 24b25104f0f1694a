/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Transport, TransportOptions } from './send.js';
/** One attempt on its way to the service, with what is known of its call. */
export type OutgoingOf<Facts> = TransportOptions & Facts & {
    readonly url: string;
};
/** May change the request, answer in place of the service, or look at the response. The credential is among the headers. */
export type MiddlewareOf<Facts> = (request: OutgoingOf<Facts>, next: (request: OutgoingOf<Facts>) => Promise<Response>) => Promise<Response>;
/** What `use` takes: a middleware, or observers that may come with one. */
export type PartOf<Facts, Observers> = MiddlewareOf<Facts> | (Observers & {
    readonly middleware?: MiddlewareOf<Facts> | undefined;
});
/** The `fetch` of one attempt: through every middleware in order. */
export declare function passThrough<Facts extends object>(facts: Facts, { fetch, middleware }: {
    fetch: Transport;
    middleware: readonly MiddlewareOf<Facts>[];
}): Transport;
/** The method `use` of a client. */
export declare function takeParts<Facts, Observers extends object>(to: {
    readonly observers: Observers[];
    readonly middleware: MiddlewareOf<Facts>[];
}): (...parts: readonly PartOf<Facts, Observers>[]) => void;
