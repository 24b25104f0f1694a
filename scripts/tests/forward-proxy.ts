import http from 'node:http';
import net from 'node:net';
import { serveLocally } from '../../contract-tests/tests/local-servers.ts';

export type ForwardProxy = {
  readonly url: string;
  /** Method and target of each request to the proxy, such as `CONNECT router.test:443`. */
  readonly asked: string[];
  close(): Promise<void>;
};

/** Starts a proxy with its own name resolution: `addresses` maps each `host:port` to a local port. */
export async function startForwardProxy(addresses: ReadonlyMap<string, number>): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { host, pathname, search } = new URL(request.url ?? '');
    const port = addresses.get(host);
    if (port === undefined) response.writeHead(502).end();
    else
      http.get({ port, host: '127.0.0.1', path: pathname + search, headers: request.headers }, (from) =>
        from.pipe(response.writeHead(from.statusCode ?? 502, from.headers)),
      );
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '' }, socket) => {
    asked.push(`CONNECT ${url}`);
    const port = addresses.get(url);
    if (port === undefined) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const tunnel = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const end of [tunnel, socket]) end.on('error', () => tunnel.destroy());
  });
  const { url, close } = await serveLocally(server);
  return {
    url,
    asked,
    close() {
      for (const socket of sockets) socket.destroy();
      return close();
    },
  };
}
