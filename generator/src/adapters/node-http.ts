import type { Agent, ClientRequest, get, IncomingMessage } from 'node:http';
import { errorCode, isThisMachine, type TlsSettings, tlsOptions } from '../../../specs/src/index.ts';
import type { Http, HttpOutcome, HttpRequest, NoResponse } from '../ports.ts';

type Agents = { readonly get: typeof get; readonly agent: Agent };
type AgentFor = (target: URL) => Agents;

/**
 * Sends GET requests over kept-alive connections. Doesn't follow redirects; the deadline covers headers and body; the body is
 * bounded. Takes half the time of `fetch`, which matters for a thousand conditional requests. Uses the proxies of `HTTPS_PROXY`,
 * `HTTP_PROXY` and `NO_PROXY`, except for loopback addresses.
 */
export function createNodeHttp(tls: TlsSettings = {}): Http {
  const agentFor = createAgents(tls);
  return async (request) => {
    const deadline = { isOver: false };
    try {
      return await send(request, agentFor, deadline);
    } catch (error) {
      // Any error after the deadline is caused by the deadline.
      if (!deadline.isOver) return explainFailure(error);
      const detail = `no complete response within ${request.deadlineMs} ms`;
      return { kind: 'no-response', because: 'deadline', detail };
    }
  };
}

// Loaded with the first request, because offline runs don't send any.
function createAgents(tls: TlsSettings): AgentFor {
  const agents = new Map<string, Agents>();
  return ({ protocol, hostname }) => {
    const isLocal = isThisMachine(hostname);
    const name = `${protocol}${isLocal}`;
    const known = agents.get(name);
    if (known !== undefined) return known;
    const isTls = protocol === 'https:';
    const { get, Agent } = process.getBuiltinModule(isTls ? 'node:https' : 'node:http');
    const proxies = isLocal ? {} : { proxyEnv: process.env };
    const own = isTls ? tlsOptions(tls, process.getBuiltinModule('node:tls')) : {};
    const made = { get, agent: new Agent({ keepAlive: true, ...proxies, ...own }) };
    agents.set(name, made);
    return made;
  };
}

async function send(request: HttpRequest, agentFor: AgentFor, deadline: { isOver: boolean }): Promise<HttpOutcome> {
  const target = new URL(request.url);
  const { get, agent } = agentFor(target);
  const headers = { 'user-agent': 'switchyard', 'accept-encoding': 'gzip', ...request.headers };
  const sent = get(target, { agent, headers });
  // A timer for each request costs far less than an AbortSignal.
  const timer = setTimeout(() => {
    deadline.isOver = true;
    sent.destroy();
  }, request.deadlineMs);
  try {
    return await receive(await responseTo(sent), request.maxBytes);
  } finally {
    clearTimeout(timer);
  }
}

async function receive(message: IncomingMessage, maxBytes: number): Promise<HttpOutcome> {
  const body = await readBody(message, maxBytes);
  const bytes = body && (await decode(body, message.headers['content-encoding'], maxBytes));
  if (bytes === undefined)
    return { kind: 'no-response', because: 'too-large', detail: `the body is longer than ${maxBytes} bytes` };
  const received = Object.entries(message.headers).map(([name, value]) => [name, String(value)] as const);
  return { kind: 'response', status: message.statusCode ?? 0, headers: new Map(received), bytes };
}

const informationalAtMost = 100;

function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((answered, failed) => {
    sent.on('response', answered).on('error', failed);
    // Without this listener, a request answered with an upgrade would never settle.
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      failed(new Error(`the source switches protocols (status ${statusCode}), which was not requested`));
    });
    // A server could send informational responses (1xx) without end, and reading them would take all processor time.
    let informational = 0;
    sent.on('information', () => {
      informational += 1;
      if (informational > informationalAtMost)
        sent.destroy(new Error(`more than ${informationalAtMost} informational responses came before the response`));
    });
    sent.on('close', () => failed(new Error('the connection was closed without a response')));
  });
}

/** Returns undefined if the body, or its announced length, is larger than `maxBytes`. */
async function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(message.headers['content-length']) > maxBytes) {
    message.destroy();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  // A 304 has no body, and iterating over an empty one takes as long as the request itself.
  if (message.statusCode === 304) return message.resume() && Buffer.alloc(0);
  for await (const chunk of message) {
    length += chunk.length;
    if (length > maxBytes) return undefined; // returning from the loop closes the connection
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

async function decode(
  body: Uint8Array,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (body.length === 0 || encoding === undefined || encoding === 'identity') return body;
  if (!/^(?:x-)?gzip$/i.test(encoding)) throw new Error(`the body is encoded as ${encoding}, which was not requested`);
  const { gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (findCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

/** Reasons why a certificate isn't trusted, by error code of OpenSSL or Node. */
const distrust: readonly (readonly [code: string, message: string])[] = [
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate authority is not trusted here'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its certificate authority is not trusted here, or the server does not send the complete certificate chain',
  ],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate authority is not trusted here'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its certificate authority is not trusted here'],
  ['CERT_HAS_EXPIRED', 'it has expired, or the clock here is wrong'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet, or the clock here is wrong'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for a different host name'],
];
const messages: ReadonlyMap<string, string> = new Map([
  ...distrust,
  // The platform's message repeats the address, which may contain a password.
  ['ERR_PROXY_INVALID_CONFIG', 'the address of the proxy (HTTPS_PROXY, HTTP_PROXY) is not a valid URL'],
]);
/** OpenSSL's messages if the server doesn't speak TLS. */
const isPlain = /wrong version number|packet length too long/;
const refusals = [
  'ERR_PROXY_TUNNEL',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_INVALID_URL',
];
const reasons: ReadonlyMap<string, NoResponse> = new Map([
  ...distrust.map(([code]) => [code, 'untrusted'] as const),
  ...refusals.map((code) => [code, 'refused'] as const),
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].map((code) => [code, 'reset'] as const),
]);

function explainFailure(error: unknown): HttpOutcome {
  // An AggregateError over several attempts has an empty message.
  if (error instanceof AggregateError && error.errors.length > 0) return explainFailure(error.errors[0]);
  const code = findCode(error) ?? '';
  const original = error instanceof Error ? error.message : String(error);
  const text = code === 'ERR_PROXY_TUNNEL' ? `the proxy in HTTPS_PROXY refused: ${original}` : original;
  const message = isPlain.test(text)
    ? 'the port does not speak TLS; it may be an http port'
    : (messages.get(code) ?? text);
  const detail = message.includes(code) ? message : `${message}: ${code}`;
  return { kind: 'no-response', because: reasons.get(code) ?? 'failed', detail };
}

// Node wraps the errors of several attempts (IPv6, IPv4) in an AggregateError.
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = errorCode(error);
  if (own !== '') return own;
  if (error instanceof AggregateError) return findCode(error.errors[0]);
  return findCode(error.cause);
}
