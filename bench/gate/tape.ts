import { createServer, type Server } from 'node:http';

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

const giveUpMs = 300;

/** A `fetch` that remembers what passes; answers without an end are forgotten. */
export function createRecorder(fetch: (request: Request) => Promise<Response>) {
  const pending: Promise<Recorded | undefined>[] = [];
  let calls = 0;
  return {
    async fetch(request: Request): Promise<Response> {
      calls++;
      const kept = request.clone();
      const response = await fetch(request);
      pending.push(record(kept, response));
      return response;
    },
    calls: () => calls,
    recorded: async (): Promise<Recorded[]> => (await Promise.all(pending)).filter((one) => one !== undefined),
  };
}

async function record(request: Request, response: Response): Promise<Recorded | undefined> {
  const url = new URL(request.url);
  // Admin routes are no part of the APIs.
  if (url.pathname.startsWith('/__')) return undefined;
  try {
    const copy = response.clone();
    const body = await Promise.race([copy.arrayBuffer(), later(giveUpMs)]);
    if (body === undefined) return undefined;
    const sent = await Promise.race([request.arrayBuffer(), later(giveUpMs)]);
    return {
      method: request.method,
      path: url.pathname + url.search,
      requestHeaders: Object.fromEntries(request.headers),
      requestBody: sent === undefined || sent.byteLength === 0 ? undefined : new Uint8Array(sent),
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(body),
    };
  } catch {
    return undefined;
  }
}

function later(ms: number): Promise<undefined> {
  return new Promise((done) => setTimeout(done, ms, undefined).unref());
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
