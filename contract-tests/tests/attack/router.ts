import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Reply = { status: number; headers: Record<string, string>; body: Buffer };
export type Asked = { method: string; path: string; url: URL; headers: IncomingMessage['headers']; body: Buffer };
/** Answers one request in its own way, over the raw socket when it likes; true when it did. */
export type Behaviour = (
  asked: Asked,
  response: ServerResponse,
  healthy: () => Promise<Reply>,
) => boolean | Promise<boolean>;
export type Listening = { url: string; asked: Asked[]; close(): Promise<void> };

/** A model by id, with the bytes of its document. */
export type Models = ReadonlyMap<string, string>;

/** An honest router: catalog page by page, documents with entity tags, 401 and 404 as the contract has them. */
export function honestRouter(models: Models, { pageSize = 100 } = {}): (asked: Asked) => Promise<Reply> {
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
  return async ({ url, headers }) => {
    if (headers['x-api-key'] === undefined && headers.authorization === undefined) return error(401, 'unauthenticated');
    if (url.pathname === '/v2/models') return json(200, makePage(models, url, pageSize));
    const [, id = '', rest = ''] = /^\/v2\/models\/([^/]+\/[^/]+)(.*)$/.exec(url.pathname) ?? [];
    const text = models.get(decodeURIComponent(id));
    if (text === undefined) return error(404, 'model_not_found');
    if (rest === '') return json(200, makeEntry(id));
    if (rest !== '/openapi.json') return error(404, 'not_found');
    const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 24)}"`;
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: Buffer.alloc(0) };
    return json(200, text, { etag });
  };
}

function makeEntry(id: string): object {
  const [provider, model] = id.split('/');
  return { id, provider, model, billing: { charges_on_policy_rejection: 'no' } };
}

function makePage(models: Models, url: URL, pageSize: number): object {
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const ids = [...models.keys()];
  const more = start + pageSize < ids.length;
  const data = ids.slice(start, start + pageSize).map(makeEntry);
  return { data, has_more: more, limit: pageSize, ...(more ? { next_cursor: String(start + pageSize) } : {}) };
}

/** Serves over a real socket; the behaviours come first, in order. */
export async function serve(
  healthy: (asked: Asked) => Promise<Reply>,
  behaviours: readonly Behaviour[] = [],
): Promise<Listening> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, (message, response) => {
    void answer(message, response).catch(() => message.socket.destroy());
  });
  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of message) parts.push(part);
    const path = message.url ?? '/';
    const url = new URL(path.startsWith('/') ? `http://localhost${path}` : path);
    const one: Asked = {
      method: message.method ?? '',
      path,
      url,
      headers: message.headers,
      body: Buffer.concat(parts),
    };
    asked.push(one);
    for (const behave of behaviours) if (await behave(one, response, () => healthy(one))) return;
    const reply = await healthy(one);
    response.writeHead(reply.status, reply.headers).end(reply.status === 304 ? undefined : reply.body);
  }
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // the caller may leave at any time
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: readAddress(server), asked, close: () => closeAll(server, sockets) };
}

export function readAddress(server: Server): string {
  // A listening server over TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    for (const socket of sockets) socket.destroy();
  });
}
