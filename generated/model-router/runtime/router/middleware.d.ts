/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { MiddlewareOf, OutgoingOf, PartOf } from '../http/middleware.js';
import type { RequestEvent, RouterObservers } from './observers.js';
type AttemptFacts = Omit<RequestEvent, 'attributes'>;
export type OutgoingRequest = OutgoingOf<AttemptFacts>;
export type Middleware = MiddlewareOf<AttemptFacts>;
export type RouterPart = PartOf<AttemptFacts, RouterObservers>;
export {};
