import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

// A proxy as it stands in front of many services: it answers for itself, compresses, and adds nothing of the API.

export type FrontOptions = {
  /** Every call of this number is answered 503 service_unavailable, as by a router with a dependency that fails. */
  readonly refuseEvery?: number;
  /** Bodies of more bytes get the proxy's own page. */
  readonly largestBody?: number;
  /** After so many calls the service behind it is gone. */
  readonly goneAfter?: number;
  /** Compresses what callers accept compressed; `weak-tags` weakens the entity tag as well. */
  readonly gzip?: 'strong-tags' | 'weak-tags';
};

export async function startFront(upstream: string, options: FrontOptions) {
  let calls = 0;
  const server = createServer(async (request, response) => {
    calls += 1;
    const body = await readAll(request);
    const {
      refuseEvery = Number.POSITIVE_INFINITY,
      largestBody = Number.POSITIVE_INFINITY,
      goneAfter = calls,
    } = options;
    if (calls > goneAfter) return sendPage(response, 502, 'Bad Gateway');
    if (body.length > largestBody) return sendPage(response, 413, 'Request Entity Too Large');
    if (calls % refuseEvery === 0) return refuse(response);
    const answer = await call(upstream, request, body);
    const [headers, bytes] = compress(options, request, answer);
    response.writeHead(answer.status, headers).end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Answered = { readonly status: number; readonly headers: Record<string, string | string[]>; readonly body: Buffer };

function call(upstream: string, { method, url = '/', headers }: IncomingMessage, body: Buffer): Promise<Answered> {
  const { hostname, port } = new URL(upstream);
  return new Promise((done, failed) => {
    const sent = forward({ hostname, port, path: url, method, headers }, async (answer) => {
      const { 'transfer-encoding': _, ...rest } = answer.headers;
      const given = Object.entries(rest).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      );
      const bytes = await readAll(answer);
      done({ status: answer.statusCode ?? 0, headers: Object.fromEntries(given), body: bytes });
    });
    sent.on('error', failed).end(body);
  });
}

function compress({ gzip }: FrontOptions, request: IncomingMessage, { status, headers, body }: Answered) {
  const isAsked = String(request.headers['accept-encoding'] ?? '').includes('gzip');
  if (gzip === undefined || !isAsked || status !== 200 || body.length === 0) return [headers, body] as const;
  const bytes = gzipSync(body);
  const { etag } = headers;
  const tag = etag === undefined || gzip === 'strong-tags' ? {} : { etag: `W/${etag}` };
  return [{ ...headers, ...tag, 'content-encoding': 'gzip', 'content-length': String(bytes.length) }, bytes] as const;
}

function sendPage(response: ServerResponse, status: number, title: string): void {
  const page = `<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>`;
  response.writeHead(status, { 'content-type': 'text/html', server: 'proxy' }).end(page);
}

function refuse(response: ServerResponse): void {
  const headers = {
    'content-type': 'application/json',
    'x-service-request-id': crypto.randomUUID(),
    'x-service-error-type': 'service_unavailable',
  };
  const body = { detail: 'A dependency is unavailable.', error_type: 'service_unavailable' };
  response.writeHead(503, headers).end(JSON.stringify(body));
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
