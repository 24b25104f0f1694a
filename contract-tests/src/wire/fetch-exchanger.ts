import type { Exchanger, NoResponse, WireRequest, WireResponse } from '../contract/probe.ts';
import { collectBytes, maxBodyBytes, noResponse, withContentDecoded } from './bodies.ts';
import { startTimer } from './system-clock.ts';

/** A server in this process: what it is asked, it answers. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Calls a server as a function. What only a socket shows (framing, cut connections, paths as sent) is not seen. */
export function fetchExchanger(handler: FetchHandler): Exchanger {
  return withContentDecoded((request, deadlineMs) => {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const stopTimer = startTimer(deadlineMs, () => {
        abort.abort();
        resolve(noResponse('timeout', `no complete answer within ${deadlineMs} ms`));
      });
      void answer(handler, request, abort.signal).then((result) => {
        stopTimer();
        resolve(result);
      });
    });
  });
}

async function answer(
  handler: FetchHandler,
  { method, url, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireResponse | NoResponse> {
  try {
    const sent = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
    if (body !== undefined) sent.set('Content-Length', String(body.length));
    const isBodiless = method === 'GET' || method === 'HEAD' || body === undefined;
    const init = { method, headers: sent, signal, ...(isBodiless ? {} : { body: new Uint8Array(body) }) };
    const response = await handler(new Request(url, init));
    const bytes = await readBody(response);
    if (bytes === undefined) return noResponse('too-large', `more than ${maxBodyBytes} bytes`);
    return { kind: 'response', status: response.status, headers: [...response.headers], body: bytes };
  } catch (error) {
    return noResponse('reset', error instanceof Error ? error.message : String(error));
  }
}

/** Undefined above the bound. */
async function readBody({ body }: Response): Promise<Uint8Array | undefined> {
  const received = collectBytes();
  for await (const piece of body ?? []) if (!received.add(piece)) return undefined;
  return received.bytes();
}
