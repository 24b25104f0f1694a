import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
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

/** Creates a conforming router. `models` has the text of the schema document for each id. */
export function honestRouter(models: ReadonlyMap<string, string>): Handler {
  const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
    status,
    headers: {
      'content-type': 'application/json',
      'x-service-request-id': '5f0c7c2e-33f1-4c1b-9a53-1d6f6b1f0a99',
      ...headers,
    },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
  const error = (status: number, category: string): Reply =>
    json(status, { detail: category, error_type: category }, { 'x-service-error-type': category });
  const entry = (id: string): object => {
    const [provider, model] = id.split('/');
    return { id, provider, model, billing: { charges_on_policy_rejection: 'no' } };
  };
  return async ({ url, headers }) => {
    if (headers['x-api-key'] === undefined && headers.authorization === undefined) return error(401, 'unauthenticated');
    if (url.pathname === '/v2/models') {
      const start = Number(url.searchParams.get('cursor') ?? 0);
      const more = start + 10 < models.size;
      const data = [...models.keys()].slice(start, start + 10).map(entry);
      return json(200, { data, has_more: more, limit: 10, ...(more ? { next_cursor: String(start + 10) } : {}) });
    }
    const [, id = '', rest = ''] = /^\/v2\/models\/([^/]+\/[^/]+)(.*)$/.exec(url.pathname) ?? [];
    const text = models.get(decodeURIComponent(id));
    if (text === undefined) return error(404, 'model_not_found');
    if (rest === '') return json(200, entry(id));
    if (rest !== '/openapi.json') return error(404, 'not_found');
    const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 24)}"`;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: Buffer.alloc(0) };
    return json(200, text, { etag });
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
