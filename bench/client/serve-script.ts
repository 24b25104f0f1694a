import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A server that answers every call with the same success, in the shape of all clients at once. `PUT /script` names how the
// next call is answered instead; `GET /script` tells the idempotency keys of the calls since then.

const success = JSON.stringify({
  id: 'prediction-1',
  status: 'succeeded',
  output: 'text',
  created: 0,
  images: [{ url: 'https://assets.example/1.png' }],
  data: [{ url: 'https://assets.example/1.png' }],
  seed: 1,
});
type Answer = (response: ServerResponse) => void;

const json = (status: number, category: string, headers: Record<string, string> = {}): Answer => {
  const known = { 'content-type': 'application/json', 'x-service-error-type': category, ...headers };
  const body = JSON.stringify({ detail: `It is ${category}.`, error_type: category });
  return (response) => response.writeHead(status, known).end(body);
};
const answers: Readonly<Record<string, Answer>> = {
  '429': json(429, 'rate_limited', { 'retry-after': '1' }),
  '503': json(503, 'service_unavailable'),
  '504': json(504, 'deadline_exceeded', { 'retry-after': '1' }),
  reset: (response) => response.destroy(),
  HTML: (response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body><h1>502 Bad Gateway</h1></body></html>'),
  'truncated 200': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(success.length) });
    response.write(success.slice(0, 20), () => response.destroy());
  },
};

let next: Answer | undefined;
let keys: (string | null)[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/script') control(request, response, Buffer.concat(chunks).toString());
    else answer(request, response);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});

function control(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.method === 'GET') {
    response.end(JSON.stringify(keys));
    return;
  }
  next = answers[body];
  keys = [];
  response.end();
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const key = request.headers['idempotency-key'];
  if (keys.length < 100) keys.push(typeof key === 'string' ? key : null);
  const now = next;
  next = undefined;
  if (now !== undefined) now(response);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(success);
}
