import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** What came of a trial: a lower cost is better, and nothing is a client that has nothing of the kind. */
export type Score = { readonly cost: number; readonly what: string } | undefined;
export type Trial = {
  readonly name: string;
  /** A difference that counts for nothing. */
  readonly slack: number;
  readonly run: (client: string) => Promise<Score>;
};

export type TrialServer = {
  readonly url: string;
  readonly connections: () => number;
  /** Bodies of the requests, in order. */
  readonly bodies: readonly string[];
  readonly close: () => void;
};
export type Handler = (request: IncomingMessage & { url: string }, response: ServerResponse, index: number) => void;

export const json = { 'content-type': 'application/json' };

/** A server for one client in one trial. */
export async function serve(handle: Handler, isSecure = false): Promise<TrialServer> {
  const bodies: string[] = [];
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const index = bodies.push(Buffer.concat(chunks).toString()) - 1;
    handle(Object.assign(request, { url: request.url ?? '/' }), response, index);
  };
  const fixture = (name: string): string =>
    readFileSync(join(import.meta.dirname, '../../generator/tests/fixtures', name), 'utf8');
  const server = isSecure
    ? createTlsServer({ cert: fixture('self-signed.pem'), key: fixture('self-signed.key.pem') }, listener)
    : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
    connections: () => connections,
    bodies,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
