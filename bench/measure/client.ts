import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string; ms: number };
export type Client = {
  ask(method: string, url: string, body?: object): Promise<Answer>;
  send(method: string, url: string, bytes?: Uint8Array, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
};

/** One client for all servers: keep-alive connections, one set of headers. */
export function createClient(headers: Record<string, string>, connections: number, patienceMs = 60_000): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send: Client['send'] = (method, url, bytes, typed = {}) =>
    new Promise((done, fail) => {
      const start = performance.now();
      const length = bytes === undefined ? {} : { 'content-length': bytes.length };
      const sent = request(url, { method, agent, headers: { ...headers, ...typed, ...length } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', fail);
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
            ms: performance.now() - start,
          }),
        );
      });
      sent.on('error', fail);
      // Reading the body frees the connection.
      sent.setTimeout(patienceMs, () => sent.destroy(new Error(`no answer within ${patienceMs} ms`)));
      sent.end(bytes);
    });
  return {
    send,
    ask: (method, url, body) =>
      body === undefined
        ? send(method, url)
        : send(method, url, Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json' }),
    close: () => agent.destroy(),
  };
}
