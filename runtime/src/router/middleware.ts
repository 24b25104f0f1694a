import type { MiddlewareOf, OutgoingOf, PartOf } from '../http/middleware.ts';
import type { RequestEvent, RouterObservers } from './observers.ts';

type AttemptFacts = Omit<RequestEvent, 'attributes'>;
export type OutgoingRequest = OutgoingOf<AttemptFacts>;
export type Middleware = MiddlewareOf<AttemptFacts>;
export type RouterPart = PartOf<AttemptFacts, RouterObservers>;
