import { createAdaptorServer } from '@hono/node-server';
import type { Sandbox } from './sandbox.ts';

export type Listening = { url: string; close(): Promise<void> };

/** Serves the sandbox on a socket; port 0 takes a free one. Rejects when the address cannot be had. */
export function listen(sandbox: Sandbox, { port, host }: { port: number; host: string }): Promise<Listening> {
  const server = createAdaptorServer({ fetch: sandbox.fetch, hostname: host, overrideGlobalObjects: false });
  return new Promise((opened, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      const address = server.address();
      const actualPort = typeof address === 'object' && address !== null ? address.port : port;
      const close = (): Promise<void> =>
        new Promise((closed) => {
          server.close(() => closed());
          if ('closeAllConnections' in server) server.closeAllConnections();
        });
      opened({ url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`, close });
    });
  });
}
