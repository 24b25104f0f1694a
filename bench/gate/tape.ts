import { createServer, type Server } from 'node:http';
import type { Handle, InProcessReply, InProcessRequest } from '../../contract-tests/src/index.ts';

/** One exchange as it was, to be shown to a proxy again. */
export type Recorded = {
  method: string;
  path: string;
  requestHeaders: Record<string, string>;
  requestBody: Uint8Array | undefined;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
};

/** A target in this process that remembers what passes. */
export function createRecorder(handle: Handle) {
  const recorded: Recorded[] = [];
  let calls = 0;
  return {
    handle: (async (request) => {
      calls++;
      const reply = await handle(request);
      // Admin routes are no part of the APIs.
      if (!request.target.startsWith('/__')) recorded.push(record(request, reply));
      return reply;
    }) satisfies Handle,
    calls: () => calls,
    recorded: (): readonly Recorded[] => recorded,
  };
}

function record({ method, target, ...request }: InProcessRequest, reply: InProcessReply): Recorded {
  return {
    method,
    path: target,
    requestHeaders: { ...request.headers },
    requestBody: request.body.length === 0 ? undefined : request.body,
    status: reply.status,
    headers: { ...reply.headers },
    body: typeof reply.body === 'string' ? new TextEncoder().encode(reply.body) : reply.body,
  };
}

export type TapePlayer = { url: string; load(tape: readonly Recorded[]): void; close(): void };

/** An upstream that answers request `x-tape: n` with the n-th recorded answer. */
export async function startTapePlayer(): Promise<TapePlayer> {
  let tape: readonly Recorded[] = [];
  const server: Server = createServer((request, response) => {
    const recorded = tape[Number(request.headers['x-tape'])];
    request.resume();
    if (recorded === undefined) return void response.writeHead(599).end();
    const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...headers } = recorded.headers;
    response.writeHead(recorded.status, headers);
    response.end(recorded.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    load: (next) => {
      tape = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
