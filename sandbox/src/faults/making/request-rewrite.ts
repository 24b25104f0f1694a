import type { Decorator, DecoratorContext } from '../decorator.ts';
import { touches, type Where } from './answer-rewrite.ts';

/** What of a request a fault changes before the healthy application sees it; `undefined` removes a header. */
export type RequestChange = {
  url?: string;
  headers?: Record<string, string | undefined>;
  body?: Uint8Array<ArrayBuffer>;
};
export type RequestPlan = (request: Request, context: DecoratorContext) => RequestChange | Promise<RequestChange>;

export async function changeRequest(request: Request, change: RequestChange): Promise<Request> {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  const bodiless = request.method === 'GET' || request.method === 'HEAD';
  const sent = change.body ?? (bodiless ? undefined : new Uint8Array(await request.clone().arrayBuffer()));
  const body = sent === undefined || sent.length === 0 ? null : sent;
  if (change.body !== undefined) headers.delete('content-length');
  return new Request(change.url ?? request.url, { method: request.method, headers, body, signal: request.signal });
}

/** Faults of judgement are easiest told by what the server seems to have read: the request is changed, not the answer. */
export function rewriteRequest(on: Where['on'], plan: RequestPlan): Decorator {
  return (app, context) => async (request) => {
    if (!touches({ on }, request)) return app(request);
    return app(await changeRequest(request, await plan(request.clone(), context)));
  };
}

export function withQuery(request: Request, change: (query: URLSearchParams) => void): string {
  const url = new URL(request.url);
  change(url.searchParams);
  return url.toString();
}
