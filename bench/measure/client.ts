import { Agent, request } from 'node:http';

export type Answer = { status: number; body: string; ms: number };
export type Client = {
  ask(method: string, url: string, body?: object): Promise<Answer>;
  close(): void;
};

/** One client for all that is compared: kept connections, one header set. */
export function createClient(headers: Record<string, string>, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    ask: (method, url, body) =>
      new Promise((done, fail) => {
        const start = performance.now();
        const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
        const typed = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
        const sent = request(url, { method, agent, headers: { ...headers, ...typed } }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', fail);
          response.on('end', () =>
            done({
              status: response.statusCode ?? 0,
              body: Buffer.concat(parts).toString(),
              ms: performance.now() - start,
            }),
          );
        });
        sent.on('error', fail);
        sent.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}
