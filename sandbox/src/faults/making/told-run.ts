import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Decorator } from '../decorator.ts';
import { type AnswerChange, rewriteAnswer, touches, type Where } from './answer-rewrite.ts';
import type { OperationId } from './operation-match.ts';
import { changeRequest, type RequestChange } from './request-rewrite.ts';

/** What a run was told to do, and with which parameters. */
export type Order = { input: JsonObject; query: URLSearchParams };
type Picks = (order: Order) => boolean;

const runs: readonly OperationId[] = ['runModel'];

async function orderOf(request: Request): Promise<Order> {
  const query = new URL(request.url).searchParams;
  try {
    const input: unknown = JSON.parse(await request.clone().text());
    return { input: isJsonObject(input) ? input : {}, query };
  } catch {
    return { input: {}, query };
  }
}

export function isTold(...outcomes: readonly string[]): Picks {
  return ({ input }) => outcomes.includes(String(input['outcome']));
}

/** Changes the answers to runs with such an input. */
export function whenTold(picks: Picks, change: AnswerChange, where: Partial<Where> = {}): Decorator {
  return rewriteAnswer({ on: runs, ...where }, async (answer, surroundings) =>
    picks(await orderOf(surroundings.request)) ? change(answer, surroundings) : answer,
  );
}

/** Changes what the healthy application reads of such runs. */
export function readAs(picks: Picks, plan: (order: Order, request: Request) => RequestChange): Decorator {
  return (app) => async (request) => {
    if (!touches({ on: runs }, request)) return app(request);
    const order = await orderOf(request);
    return app(picks(order) ? await changeRequest(request, plan(order, request)) : request);
  };
}

export function bytesOf(input: JsonObject): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(input));
}
