import { type Answer, type HeaderNames, headersOf } from './answer.ts';
import type { Bytes } from './digest.ts';

/**
 * The socket behind a request. A Request and a Response for each call cost more than most calls themselves; where nobody
 * stands between application and socket, the body is read and the answer is written without them.
 */
export type DirectExchange = {
  /** As `readLimited`. */
  readBody(limitBytes: number): Promise<Bytes | undefined>;
  /** False when such an answer cannot be sent so; nothing has been written then. */
  send(status: number, headers: Readonly<Record<string, string>>, body: Answer['body']): boolean;
};

const exchanges = new WeakMap<Request, DirectExchange>();

export function rememberExchange(request: Request, exchange: DirectExchange): void {
  exchanges.set(request, exchange);
}

export function exchangeOf(request: Request): DirectExchange | undefined {
  return exchanges.get(request);
}

/** Stands for an answer that is on its way already: the socket adapter writes nothing more. */
const alreadySent: Response = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });

/** Undefined when the answer has to become a Response after all. */
export function sendDirectly(request: Request, answer: Answer, nameOf: HeaderNames): Response | undefined {
  const exchange = exchangeOf(request);
  if (exchange === undefined) return undefined;
  return exchange.send(answer.status, headersOf(answer, nameOf), answer.body) ? alreadySent : undefined;
}
