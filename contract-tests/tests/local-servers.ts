import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export type LocalServer = { readonly url: string; close(): Promise<void> };

/** Serves on 127.0.0.1, on a free port unless one is given. `close` also ends open connections. */
export async function serveLocally(listener: RequestListener | Server | TlsServer, port = 0): Promise<LocalServer> {
  const server = typeof listener === 'function' ? createServer(listener) : listener;
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done));
  const address = server.address() as AddressInfo; // A server that listens on a port has an address of this type.
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${address.port}`, close };
}
