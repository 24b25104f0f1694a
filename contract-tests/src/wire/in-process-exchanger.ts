import type { Exchanger, NoResponse, WireRequest, WireResponse } from '../contract/exchange.ts';
import { collectBytes, decodeContent, noResponse, tooLarge } from './bodies.ts';
import { readBytes } from './http-exchanger.ts';
import { nextTurn, startTimer } from './system-clock.ts';

export type InProcessRequest = {
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
};
/** `raw`: all bytes that a server would write to the socket, instead of the other members. */
export type InProcessReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly raw?: Uint8Array;
};
type Result = WireResponse | NoResponse;
export type Handle = (request: InProcessRequest) => Promise<InProcessReply>;

const turnsBeforeAdvance = 50;
/** Bytes of a request body for which time waits one more turn of the event loop: reading a large body takes many turns. */
const bytesPerTurn = 2048;
const advanceByMs = 250;

/** Calls `advance` to advance the target's clock while a reply is awaited. Joins repeated headers. */
export function inProcessExchanger(handle: Handle, advance: (ms: number) => void): Exchanger {
  return async (request, deadlineMs) => {
    const settled: { result?: Result } = {};
    const response = catchAsReset(() => callHandle(handle, request)).then((result) => {
      settled.result = result;
    });
    const turns = turnsBeforeAdvance + Math.ceil((request.body?.length ?? 0) / bytesPerTurn);
    for (let waitedMs = 0; settled.result === undefined && waitedMs <= deadlineMs; waitedMs += advanceByMs) {
      for (let turn = 0; settled.result === undefined && turn < turns; turn += 1)
        await Promise.race([response, nextTurn()]);
      if (settled.result === undefined) advance(advanceByMs);
    }
    return decodeContent(settled.result ?? noResponse('timeout', `no response within ${deadlineMs} ms`));
  };
}

export type MovableClock = { now(): number; advance(ms: number): void };

async function callHandle(handle: Handle, request: WireRequest): Promise<Result> {
  const { origin, pathname, search } = new URL(request.url);
  const { status, headers, body, raw } = await handle({
    method: request.method,
    origin,
    target: `${pathname}${search}`,
    headers: Object.fromEntries(listHeaders(request.headers)),
    body: new Uint8Array(request.body ?? []), // Copied, because the buffer may be shared.
    signal: new AbortController().signal,
  });
  if (raw !== undefined) return readBytes(raw);
  const isBodiless = request.method === 'HEAD' || status === 204 || status === 304;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return {
    kind: 'response',
    status,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]),
    body: isBodiless ? new Uint8Array() : bytes,
  };
}

// `Headers` joins repeated names and rejects characters that HTTP does not allow.
const listHeaders = (headers: WireRequest['headers']): Headers =>
  new Headers(headers.map(([name, value]): [string, string] => [name, value]));

export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Calls a handler in real time. Cannot detect defects that need a socket: framing, cut connections, literal paths. */
export function fetchExchanger(handler: FetchHandler): Exchanger {
  return (request, deadlineMs) => {
    const abort = new AbortController();
    return new Promise((resolve) => {
      const stopTimer = startTimer(deadlineMs, () => {
        abort.abort();
        resolve(noResponse('timeout', `no complete response within ${deadlineMs} ms`));
      });
      void catchAsReset(() => callHandler(handler, request, abort.signal)).then((result) => {
        stopTimer();
        resolve(decodeContent(result));
      });
    });
  };
}

async function callHandler(
  handler: FetchHandler,
  { method, url, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<Result> {
  const sent = listHeaders(headers);
  if (body !== undefined) sent.set('Content-Length', String(body.length));
  const isBodiless = method === 'GET' || method === 'HEAD' || body === undefined;
  const init = { method, headers: sent, signal, ...(isBodiless ? {} : { body: new Uint8Array(body) }) };
  const response = await handler(new Request(url, init));
  const received = collectBytes();
  for await (const piece of response.body ?? []) if (!received.add(piece)) return tooLarge;
  return { kind: 'response', status: response.status, headers: [...response.headers], body: received.bytes() };
}

/** A server that throws counts as a reset connection. */
async function catchAsReset(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    return noResponse('reset', error instanceof Error ? error.message : String(error));
  }
}
