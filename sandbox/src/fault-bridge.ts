import type { Decorator, DecoratorContext } from './faults/decorator.ts';
import { toResponse, toServerRequest } from './http/fetch.ts';
import type { App, ServerReply, ServerRequest } from './http/messages.ts';
import { wireAnswerOf } from './wire-answer.ts';

// BRIDGE, to be removed with `wire-answer.ts` when the decorators of `faults/` wrap plain Apps:
// then `bridged(chosen, context, healthy)` is `chosen.reduce((app, decorate) => decorate(app, context), healthy)`.
export function bridged(chosen: readonly Decorator[], context: DecoratorContext, healthy: App): App {
  if (chosen.length === 0) return healthy;
  const inner = async (request: Request): Promise<Response> => {
    const sent = await toServerRequest(request);
    const body = sent.body === 'too-large' || sent.body.length >= tooLarge.length ? 'too-large' : sent.body;
    return toResponse(await healthy({ ...sent, body }), request.method);
  };
  const outer = chosen.reduce((app, decorate) => decorate(app, context), inner);
  return async (request) => toServerReply(await outer(toRequest(request)));
}

const tooLarge = new Uint8Array(10 * 1024 * 1024 + 1); // stands for a body that was not read

function toRequest({ method, origin, target, headers, body, signal }: ServerRequest): Request {
  const bytes = body === 'too-large' ? tooLarge : body;
  const sent = method === 'GET' || method === 'HEAD' || bytes.length === 0 ? null : bytes;
  return new Request(`${origin}${target}`, { method, headers: { ...headers }, body: sent, signal });
}

async function toServerReply(response: Response): Promise<ServerReply> {
  const wire = wireAnswerOf(response);
  const reply = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
  return wire === undefined ? reply : { ...reply, raw: wire };
}
