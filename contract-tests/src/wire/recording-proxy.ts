import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '../contract/probe.ts';
import type { ApiName, TlsSettings } from '../contract/target.ts';
import { failureOf } from './connection-failures.ts';
import { hostOf, openConnections } from './connections.ts';
import { decodedResult } from './content-coding.ts';
import { mayHoldHandle, withHandleUrls } from './handle-urls.ts';
import { kept, linesOf, ofEncodedBody } from './header-lines.ts';
import { Pieces } from './pieces.ts';
import { nextTurn, systemClock } from './system-clock.ts';

export type RecordingOptions = {
  /** Base addresses of the servers behind the proxy, without a slash at the end; at least one. */
  readonly urls: Readonly<Partial<Record<ApiName, string>>>;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** For the connections to the servers. */
  readonly tls?: TlsSettings;
};

export type RecordingProxy = {
  /** On loopback; stands for both base addresses. */
  readonly url: string;
  /** Whole exchanges in the order of their ends, as they were on the wire. */
  readonly exchanges: readonly Exchange[];
  /** Calls that passed and are not among them: cut off by the client, or above the bounds of a recording. */
  readonly unrecorded: () => number;
  close(): Promise<void>;
};

/** Of all exchanges together; what comes later passes unrecorded. */
const recordedAtMost = 64 * 1024 * 1024;
const exchangesAtMost = 20_000;
/** A run may be held for ten minutes. */
const silenceMs = 660_000;
const handleAtMost = 1024 * 1024;

type Recorder = {
  readonly urls: RecordingOptions['urls'];
  readonly exchanges: Exchange[];
  readonly agentOf: (base: URL) => http.Agent;
  bytes: number;
  unrecorded: number;
  own: string;
};

/**
 * Passes requests on and keeps both sides of each. Bodies pass as they come, while they come; only the three URLs of a
 * queue handle are changed to lead through the proxy. It adds no credential, serves loopback names alone, and follows no URL.
 */
export async function startRecordingProxy({ urls, port = 0, tls }: RecordingOptions): Promise<RecordingProxy> {
  const connections = openConnections(tls);
  const agents = new Map<string, http.Agent>();
  const agentOf = (base: URL): http.Agent => {
    const agent = agents.get(base.origin) ?? connections.agentFor(base, { keepAlive: true });
    agents.set(base.origin, agent);
    return agent;
  };
  const recorder: Recorder = { urls, exchanges: [], agentOf, bytes: 0, unrecorded: 0, own: '' };
  const server = http.createServer({ requestTimeout: 0, headersTimeout: 10_000 }, (incoming, reply) =>
    passOn(incoming, reply, recorder),
  );
  server.on('upgrade', (_, socket) => socket.destroy());
  server.on('connect', (_, socket) => socket.destroy());
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  recorder.own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return {
    url: recorder.own,
    exchanges: recorder.exchanges,
    unrecorded: () => recorder.unrecorded,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
        for (const agent of agents.values()) agent.destroy();
      }),
  };
}

function passOn(incoming: http.IncomingMessage, reply: http.ServerResponse, recorder: Recorder): void {
  const path = incoming.url ?? '/';
  const api = apiOf(path, recorder.urls);
  const base = recorder.urls[api];
  // A page of a browser that resolves its own name to loopback is no client.
  const isLocal = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(incoming.headers.host ?? '');
  if (!isLocal) refuse(reply, 403, 'the proxy serves requests to its loopback address alone');
  else if (base === undefined || !path.startsWith('/')) refuse(reply, 502, 'no server is named for this path');
  else new Passage({ incoming, reply, recorder, api, base, path }).start();
}

function apiOf(path: string, urls: RecordingOptions['urls']): ApiName {
  const wanted: ApiName = path.startsWith('/api/') ? 'workflow' : 'router';
  if (urls[wanted] !== undefined) return wanted;
  return urls.router === undefined ? 'workflow' : 'router';
}

function refuse(reply: http.ServerResponse, status: number, because: string): void {
  reply.writeHead(status, { 'content-type': 'text/plain' }).end(`switchyard conform --record: ${because}\n`);
}

type PassageOptions = {
  readonly incoming: http.IncomingMessage;
  readonly reply: http.ServerResponse;
  readonly recorder: Recorder;
  readonly api: ApiName;
  readonly base: string;
  readonly path: string;
};

/** One call on its way. */
class Passage {
  readonly #it: PassageOptions;
  readonly #sent: Pieces;
  readonly #received: Pieces;
  readonly #startedAtMs = systemClock.now();
  #waitMs = 0;
  #isSettled = false;

  constructor(options: PassageOptions) {
    this.#it = options;
    this.#sent = new Pieces();
    this.#received = new Pieces();
  }

  start(): void {
    const { incoming, reply, recorder, base, path } = this.#it;
    const url = addressOf(base);
    const isSecure = url.protocol === 'https:';
    const isChunked = incoming.headers['transfer-encoding'] !== undefined;
    const upstream = (isSecure ? https : http).request({
      hostname: hostOf(url),
      port: url.port,
      method: incoming.method ?? 'GET',
      path: `${url.pathname.replace(/\/+$/, '')}${path}`,
      headers: [...kept(incoming.rawHeaders), 'Host', url.host, ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])],
      agent: recorder.agentOf(url),
      timeout: silenceMs,
    });
    upstream.on('timeout', () => upstream.destroy(new Error(`silent for ${silenceMs} ms`)));
    upstream.on('error', (error) => this.#fail(error));
    upstream.on('response', (answer) => this.#answer(answer));
    incoming.on('data', (piece: Buffer) => this.#sent.add(piece));
    incoming.pipe(upstream);
    reply.on('close', () => {
      if (!reply.writableFinished) upstream.destroy();
    });
  }

  #isHandle({ statusCode = 0, headers }: http.IncomingMessage): boolean {
    const { incoming, api, path } = this.#it;
    const isShort = Number(headers['content-length'] ?? 0) <= handleAtMost;
    return api === 'router' && isShort && mayHoldHandle(incoming.method ?? '', path, statusCode);
  }

  #answer(answer: http.IncomingMessage): void {
    const { reply } = this.#it;
    this.#waitMs = systemClock.now() - this.#startedAtMs;
    answer.on('data', (piece: Buffer) => this.#received.add(piece));
    if (this.#isHandle(answer)) this.#answerHandle(answer);
    else this.#stream(answer, reply);
  }

  #stream(answer: http.IncomingMessage, reply: http.ServerResponse): void {
    this.#writeHead(answer, reply);
    answer.on('end', () => {
      if (answer.complete) this.#record(answer);
    });
    answer.on('error', () => this.#cutOff());
    answer.on('close', () => {
      if (!answer.complete) this.#cutOff();
    });
    answer.pipe(reply);
    // With the first bytes of the body where these are there already, else at once.
    void nextTurn().then(() => {
      if (this.#received.size === 0 && !reply.writableEnded) reply.flushHeaders();
    });
  }

  /** The client waits for the whole handle, which is short. */
  #answerHandle(answer: http.IncomingMessage): void {
    const { reply, base, recorder } = this.#it;
    answer.on('error', () => this.#cutOff());
    answer.on('data', () => {
      if (this.#received.size > handleAtMost) answer.destroy(new Error('a handle of more than a mebibyte'));
    });
    answer.on('end', () => {
      if (!answer.complete) {
        this.#cutOff();
        return;
      }
      const body = this.#received.bytes() ?? Buffer.alloc(0);
      const changed = changedHandle(answer, body, (text) => withHandleUrls(text, base, recorder.own));
      this.#writeHead(answer, reply, changed);
      reply.end(changed ?? body);
      this.#record(answer);
    });
  }

  /** `changed` is sent in place of the body, and is not encoded. */
  #writeHead(answer: http.IncomingMessage, reply: http.ServerResponse, changed?: Buffer): void {
    const lines = kept(answer.rawHeaders, changed === undefined ? undefined : ofEncodedBody);
    if (changed !== undefined) lines.push('Content-Length', String(changed.length));
    reply.sendDate = false;
    reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, lines);
  }

  #fail(error: Error): void {
    const { reply } = this.#it;
    const failure = failureOf(error, addressOf(this.#it.base));
    if (reply.destroyed) {
      this.#cutOff();
      return;
    }
    this.#keep(failure);
    if (reply.headersSent) reply.destroy();
    else refuse(reply, 502, `no response from ${this.#it.base}: ${failure.detail}`);
  }

  #record(answer: http.IncomingMessage): void {
    const body = this.#received.bytes();
    const headers = linesOf(answer.rawHeaders);
    if (body === undefined) this.#leaveOut();
    else this.#keep({ kind: 'response', status: answer.statusCode ?? 0, headers, body, waitMs: this.#waitMs });
  }

  /** A side broke off in the middle: so does the other. */
  #cutOff(): void {
    this.#leaveOut();
    if (!this.#it.reply.writableFinished) this.#it.reply.destroy();
  }

  #leaveOut(): void {
    if (!this.#isSettled) this.#it.recorder.unrecorded += 1;
    this.#isSettled = true;
  }

  #keep(result: Exchange['result']): void {
    const { recorder, incoming, api, base, path } = this.#it;
    if (this.#isSettled) return;
    this.#isSettled = true;
    const body = this.#sent.bytes();
    const bytes = this.#sent.size + this.#received.size;
    if (body === undefined || recorder.bytes + bytes > recordedAtMost || recorder.exchanges.length >= exchangesAtMost) {
      recorder.unrecorded += 1;
      return;
    }
    recorder.bytes += bytes;
    const method = incoming.method ?? 'GET';
    recorder.exchanges.push({
      step: `${method} ${path.split('?', 1)[0]}`.slice(0, 200),
      attempt: 1,
      api,
      request: {
        method,
        url: `${base}${path}`,
        headers: linesOf(incoming.rawHeaders),
        body: body.length === 0 ? undefined : body,
      },
      result,
      timing: { startedAtMs: this.#startedAtMs, durationMs: systemClock.now() - this.#startedAtMs },
    });
  }
}

/** Undefined where nothing is to be changed, or the body cannot be read. */
function changedHandle(
  answer: http.IncomingMessage,
  body: Buffer,
  change: (text: string) => string,
): Buffer | undefined {
  const headers = linesOf(answer.rawHeaders);
  const result = decodedResult({ kind: 'response', status: answer.statusCode ?? 0, headers, body });
  if (result.kind === 'no-response') return undefined;
  const text = Buffer.from(result.body).toString('latin1'); // one character per byte: nothing is lost
  const changed = change(text);
  return changed === text ? undefined : Buffer.from(changed, 'latin1');
}

const addresses = new Map<string, URL>();

function addressOf(base: string): URL {
  const url = addresses.get(base) ?? new URL(base);
  addresses.set(base, url);
  return url;
}
