import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../src/http/clock.ts';

export type SeenRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
/** A reply as data, or `reset`: the connection breaks before a reply. `truncate` breaks it within the body. */
export type Reply =
  | 'reset'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly truncate?: boolean;
    };
type Step = Reply | ((request: SeenRequest) => Reply | Promise<Reply>);
export type ScriptedServer = {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Replies in order; the last one is repeated. */
  script(...replies: Step[]): void;
  close(): Promise<void>;
};

export async function startScriptedServer(): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  let script: readonly Step[] = [];
  let next = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      const step = script[Math.min(next, script.length - 1)] ?? {};
      next += 1;
      void Promise.resolve(typeof step === 'function' ? step(one) : step).then((reply) => answer(response, reply));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    script(...replies) {
      script = replies;
      next = 0;
      seen.length = 0;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'reset') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body = { ok: true }, truncate } = reply;
  const text = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' };
  const known = { 'x-service-request-id': 'request-1', ...type, ...headers };
  if (truncate !== true) {
    response.writeHead(status, known).end(status === 304 ? undefined : text);
    return;
  }
  response.writeHead(status, { ...known, 'content-length': String(Buffer.byteLength(text) + 10) });
  response.write(text, () => response.destroy());
}

/** An error response of the router. */
export function routerError(status: number, category: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = { detail: `It is ${category}.`, error_type: category };
  return { status, body, headers: { 'x-service-error-type': category, ...headers } };
}

/** Creates a clock without jitter. Its time advances by each wait. */
export function manualClock(): Clock & {
  random: Clock['random'];
  readonly slept: number[];
  advance(ms: number): void;
} {
  const slept: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  return {
    slept,
    now: () => now,
    random: () => 0,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
      await new Promise<void>((later) => setImmediate(later));
      signal?.throwIfAborted();
    },
    advance(ms) {
      now += ms;
    },
  };
}

/** Creates a clock that a test sets. */
export function steppedClock(): Clock & { advance(ms: number): void; reach(sleepers: number): Promise<void> } {
  const sleepers = new Set<{ readonly at: number; readonly resume: () => void }>();
  let now = 0;
  return {
    now: () => now,
    random: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, resume };
        function resume(): void {
          sleepers.delete(sleeper);
          resolve();
        }
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance(ms) {
      now += ms;
      for (const { at, resume } of sleepers) if (at <= now) resume();
    },
    /** Resolves when this many callers are waiting. */
    async reach(count) {
      while (sleepers.size < count) await new Promise((later) => setTimeout(later, 5));
    },
  };
}
