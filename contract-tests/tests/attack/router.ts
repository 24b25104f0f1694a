import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createFakeRouter, routerUrl } from '../../../generator/tests/fake-router.ts';
import type { Sandbox } from '../../../sandbox/src/index.ts';
import { type LocalServer, serveLocally } from '../local-servers.ts';

export type Reply = { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer };
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};
export type Handler = (request: Request) => Promise<Reply>;
/** Answers a request, possibly over the raw socket. Returns false if the healthy server should answer. */
export type Behaviour = (request: Request, response: ServerResponse, healthy: () => Promise<Reply>) => Promise<boolean>;
export type Listening = LocalServer & { readonly requests: readonly Request[] };

/** Creates a router with a catalog, whose pages have ten entries. `models` has the text of the schema document for each id. */
export function honestRouter(models: ReadonlyMap<string, string>): Handler {
  const { http } = createFakeRouter(Object.fromEntries(models), 10);
  return async ({ path, headers }) => {
    if (headers['x-api-key'] === undefined && headers.authorization === undefined)
      return { status: 401, headers: {}, body: Buffer.from('{"error_type":"unauthorized"}') };
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const reply = await http({ url: routerUrl + path, headers: sent, deadlineMs: 1_000, maxBytes: 1_000 });
    if (reply.kind !== 'response') throw new Error(reply.detail);
    return { status: reply.status, headers: Object.fromEntries(reply.headers), body: Buffer.from(reply.bytes) };
  };
}

/** Forwards calls to a sandbox, and replaces the credentials of the case with those of the sandbox. */
export function passTo(sandbox: Sandbox, { key, token }: { key: string; token: string }): Handler {
  const { router, workflow } = sandbox.credentials;
  return async ({ method, path, headers, body }) => {
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value).replaceAll(key, router.main).replaceAll(token, workflow.main),
    ]);
    const init = { method, headers: sent, ...(body.length > 0 && { body: new Uint8Array(body) }) };
    const response = await sandbox.fetch(new Request(`http://${headers.host}${path}`, init));
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
  };
}

/** Serves on a real socket. `behaviour` may answer each request before `healthy` does. */
export async function serve(healthy: Handler, behaviour: Behaviour = async () => false): Promise<Listening> {
  const requests: Request[] = [];
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, async (message, response) => {
    try {
      const path = message.url ?? '/';
      const url = new URL(path.startsWith('/') ? `http://localhost${path}` : path);
      const { method = '', headers } = message;
      const request = { method, path, url, headers, body: await buffer(message) };
      requests.push(request);
      if (await behaviour(request, response, () => healthy(request))) return;
      const reply = await healthy(request);
      response.writeHead(reply.status, reply.headers).end(reply.status === 304 ? undefined : reply.body);
    } catch {
      message.socket.destroy();
    }
  });
  server.on('connection', (socket) => socket.on('error', () => {})); // The client may disconnect at any time.
  server.on('clientError', (_error, socket) => socket.destroy());
  return { ...(await serveLocally(server)), requests };
}
