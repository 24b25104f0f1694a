import type { Agent, ClientRequest, get, IncomingMessage } from 'node:http';
import type { Http, HttpOutcome, HttpRequest, NoResponse } from '../ports.ts';

type Agents = { readonly get: typeof get; readonly agent: Agent };
const agents = new Map<string, Agents>();

// Loaded with the first request: offline runs send none.
function agentFor(protocol: string): Agents {
  const known = agents.get(protocol);
  if (known !== undefined) return known;
  const { get, Agent } = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  // As the platform's own agents do when the variable is set.
  const { env } = process;
  const made = {
    get,
    agent: new Agent({ keepAlive: true, ...(env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: env } : {}) }),
  };
  agents.set(protocol, made);
  return made;
}

/**
 * One GET over a kept connection: no redirect, a deadline over headers and body, a bounded body. Half of what `fetch`
 * costs, which counts where a thousand responses say that nothing changed.
 */
export const nodeHttp: Http = async (request) => {
  const deadline = { hasPassed: false };
  try {
    return await send(request, deadline);
  } catch (error) {
    // Whatever breaks after the deadline breaks because of it.
    if (deadline.hasPassed) return { kind: 'no-response', because: 'deadline', detail: deadlineMessage(request) };
    return { kind: 'no-response', because: reasonOf(error), detail: describe(error) };
  }
};

async function send(request: HttpRequest, deadline: { hasPassed: boolean }): Promise<HttpOutcome> {
  const sent = open(request);
  const timer = setTimeout(() => {
    deadline.hasPassed = true;
    sent.destroy(new Error(deadlineMessage(request)));
  }, request.deadlineMs);
  try {
    const message = await responseTo(sent);
    const body = await readBody(message, request.maxBytes);
    const bytes = body && (await decode(body, message.headers['content-encoding'], request.maxBytes));
    if (bytes === undefined) {
      return { kind: 'no-response', because: 'too-large', detail: `the body is longer than ${request.maxBytes} bytes` };
    }
    return { kind: 'response', status: message.statusCode ?? 0, headers: headersOf(message), bytes };
  } finally {
    clearTimeout(timer);
  }
}

function deadlineMessage({ deadlineMs }: HttpRequest): string {
  return `no complete response within ${deadlineMs} ms`;
}

function open({ url, headers }: HttpRequest): ClientRequest {
  const target = new URL(url);
  const { get, agent } = agentFor(target.protocol);
  return get(target, { agent, headers: { 'user-agent': 'switchyard', 'accept-encoding': 'gzip', ...headers } });
}

function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((answered, failed) => {
    sent.on('response', answered).on('error', failed);
    // Without this, such a request would neither respond nor fail.
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      failed(new Error(`the source switches protocols (status ${statusCode}), which was not requested`));
    });
    sent.on('close', () => failed(new Error('the connection was closed without a response')));
  });
}

function headersOf({ headers }: IncomingMessage): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}

async function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return new Promise((done, failed) => {
    const giveUp = (): void => {
      done(undefined);
      message.destroy();
    };
    // A body announced as too long need not be read.
    if (Number(message.headers['content-length']) > maxBytes) return giveUp();
    message.on('error', failed);
    message.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > maxBytes) return giveUp();
      chunks.push(chunk);
    });
    message.on('close', () => failed(new Error('the connection was closed within the body')));
    message.on('end', () => done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  });
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
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

const refusals = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_INVALID_URL']);
const resets = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

function reasonOf(error: unknown): NoResponse {
  const code = codeOf(error);
  if (code === undefined) return 'failed';
  if (refusals.has(code)) return 'refused';
  return resets.has(code) ? 'reset' : 'failed';
}

// Node wraps several attempts (IPv6, IPv4) into an aggregate.
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

function describe(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === undefined ? message : `${message}: ${code}`;
}
