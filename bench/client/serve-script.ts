import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { success } from './success.ts';

// A server that answers every call with the same success, in the shape of all clients at once. `PUT /script` names how the next calls
// are answered instead; `GET /script` gives the idempotency keys of the calls since then. Each first part `s1`, `s2`, … of a path has its own script.

type Answer = (response: ServerResponse) => void;

const json = (status: number, category: string, headers: Record<string, string> = {}): Answer => {
  const known = { 'content-type': 'application/json', 'x-service-error-type': category, ...headers };
  const message = `It is ${category}.`;
  // Each client finds the words where its own service has them.
  const body = JSON.stringify({ detail: message, error_type: category, message, error: { message, type: category } });
  return (response) => response.writeHead(status, known).end(body);
};
const hint = (value: string, status = 429): Answer => json(status, 'rate_limited', { 'retry-after': value });
const page =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body><h1>Bad Gateway</h1></body></html>');
const head = { 'content-type': 'application/json' };
const fields = JSON.stringify({
  detail: [{ loc: ['body', 'prompt'], msg: 'field is too short', type: 'too_short' }],
  error_type: 'invalid_input',
});

const answers: Readonly<Record<string, Answer>> = {
  '400': json(400, 'invalid_input'),
  '400-provider': json(400, 'provider_error'),
  '401': json(401, 'unauthorized'),
  '402': json(402, 'payment_required'),
  '403': json(403, 'not_enabled'),
  '404': json(404, 'model_not_found'),
  '408': json(408, 'client_timeout'),
  '409-invalid': json(409, 'invalid_input'),
  '409-running': json(409, 'concurrency_limit_exceeded', { 'retry-after': '1' }),
  '413': json(413, 'request_too_large'),
  '422': (response) => response.writeHead(422, head).end(fields),
  '425': json(425, 'service_unavailable'),
  '429': hint('1'),
  '429-bare': json(429, 'rate_limited'),
  '429-cents': hint('0.5'),
  '429-date': (response) => hint(new Date(Date.now() + 2_000).toUTCString())(response),
  '429-for-ever': hint('9999999999'),
  '429-fraction': hint('1.5'),
  '429-two-hours': hint('7200'),
  'late-hint': json(503, 'service_unavailable', { 'retry-after': '3' }),
  '500': json(500, 'internal_error'),
  '502-json': json(502, 'provider_unavailable'),
  '503': json(503, 'service_unavailable'),
  '503-hint': json(503, 'service_unavailable', { 'retry-after': '1' }),
  '504': json(504, 'deadline_exceeded', { 'retry-after': '1' }),
  '529': json(529, 'service_unavailable'),
  '302': (response) => response.writeHead(302, { location: 'https://elsewhere.example/login' }).end(),
  reset: (response) => response.destroy(),
  silent: () => undefined,
  stalled: (response) => {
    response.writeHead(200, { ...head, 'content-length': String(success.length) });
    response.write(success.slice(0, 20));
  },
  HTML: page(502),
  'HTML-503': page(503),
  'HTML-200': page(200),
  empty: (response) => response.writeHead(200, head).end(),
  'no-json': (response) => response.writeHead(200, head).end('{"seed":'),
  'broken-gzip': (response) => response.writeHead(200, { ...head, 'content-encoding': 'gzip' }).end(success),
  truncated: (response) => {
    response.writeHead(200, { ...head, 'content-length': String(success.length) });
    response.write(success.slice(0, 20), () => response.destroy());
  },
  'truncated-chunks': (response) => {
    response.writeHead(200, head);
    response.write(success.slice(0, 20), () => response.destroy());
  },
};

/** What a client at one base address meets. */
type Script = { next: string[]; keys: (string | null)[] };
const scripts = new Map<string, Script>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  const [, first = ''] = (request.url ?? '').split('/');
  const name = /^s\d+$/.test(first) ? first : '';
  const script = scripts.get(name) ?? { next: [], keys: [] };
  scripts.set(name, script);
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.endsWith('/script'))
      control(request, response, { script, body: Buffer.concat(chunks).toString() });
    else answer(request, response, script);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});

function control(
  request: IncomingMessage,
  response: ServerResponse,
  { script, body }: { script: Script; body: string },
): void {
  if (request.method === 'GET') {
    response.end(JSON.stringify(script.keys));
    return;
  }
  script.next = body.split(' ');
  script.keys = [];
  response.end();
}

function answer(request: IncomingMessage, response: ServerResponse, script: Script): void {
  const key = request.headers['idempotency-key'];
  if (script.keys.length < 100) script.keys.push(typeof key === 'string' ? key : null);
  const [now = ''] = script.next;
  if (!now.endsWith('…')) script.next.shift();
  const known = answers[now.replace('…', '')];
  if (known !== undefined) known(response);
  else response.writeHead(200, head).end(success);
}
