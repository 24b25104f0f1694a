import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Handle } from '../../contract-tests/src/index.ts';
import { createHttpClient } from '../measure.ts';

/** An exchange between the gate and its target. It is replayed through Prism's proxy later. */
export type Recorded = {
  method: string;
  path: string;
  requestHeaders: Record<string, string>;
  requestBody: Uint8Array | undefined;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | string;
};

/** Wraps a target so that its exchanges are recorded. `tape` and `calls` give the exchanges and requests so far. */
export function recordTarget(handle: Handle): { handle: Handle; tape: readonly Recorded[]; calls(): number } {
  const tape: Recorded[] = [];
  let calls = 0;
  const recording: Handle = async (request) => {
    calls++;
    const reply = await handle(request);
    const { method, target: path, headers: requestHeaders, body } = request;
    const requestBody = body.length === 0 ? undefined : body;
    // Admin routes are not part of the APIs.
    if (!path.startsWith('/__')) tape.push({ method, path, requestHeaders, requestBody, ...reply });
    return reply;
  };
  return { handle: recording, tape, calls: () => calls };
}

export type PrismProxy = {
  /** Replays the exchanges and returns the distinct violations that Prism reports. */
  check(tape: readonly Recorded[]): Promise<ReadonlySet<string>>;
  close(): void;
};

const cli = join(dirname(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')), 'dist/index.js');
const atOnce = 16;
const timeoutMs = 1000; // Prism never answers malformed JSON

/** Starts `prism proxy` in front of a server that replays recorded answers. The proxy reports violations in a header. */
export async function startPrismProxy(document: string): Promise<PrismProxy> {
  let tape: readonly Recorded[] = [];
  const player = createServer((request, response) => {
    const recorded = tape[Number(request.headers['x-tape'])];
    request.resume();
    if (recorded === undefined) return void response.writeHead(599).end();
    const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...headers } = recorded.headers;
    response.writeHead(recorded.status, headers).end(recorded.body);
  });
  const upstream = await listenOnFreePort(player);
  const probe = createServer();
  const port = await listenOnFreePort(probe);
  await new Promise((closed) => probe.close(closed));
  const child = spawn(process.execPath, [cli, 'proxy', document, `http://127.0.0.1:${upstream}`, '--port', `${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((done, fail) => {
    child.once('exit', (code) => fail(new Error(`prism proxy ended with ${code}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output = part.toString();
        if (output.includes('listening')) done();
      });
  });
  const client = createHttpClient({}, atOnce, timeoutMs);
  const send = async (one: Recorded, index: number): Promise<readonly string[]> => {
    if (crashesPrism(one.path)) return [];
    const { 'content-length': _, connection: __, ...headers } = one.requestHeaders;
    const sent = { ...headers, 'x-tape': String(index) };
    const answer = await client
      .send(one.method, `http://127.0.0.1:${port}${one.path}`, one.requestBody, sent)
      .catch(() => undefined);
    const header = answer?.headers['sl-violations'];
    if (typeof header !== 'string') return [];
    if (!header.startsWith('[')) return [[one.method, one.status, 'too many violations'].join(' ')];
    const violations: { location?: string[]; message?: string; code?: string }[] = JSON.parse(header);
    return violations.map(({ location = [], message = '', code = '' }) => {
      const place = location.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.');
      return [one.method, one.status, code, place, message].join(' ');
    });
  };
  return {
    async check(next) {
      tape = next;
      const found: string[] = [];
      const left = next.entries();
      const worker = async (): Promise<void> => {
        for (const [index, one] of left) found.push(...(await send(one, index)));
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      if (child.exitCode !== null) throw new Error(`prism proxy ended with ${child.exitCode}: ${output}`);
      return new Set(found);
    },
    close() {
      client.close();
      child.kill('SIGKILL');
      player.close();
      player.closeAllConnections();
    },
  };
}

/** True for a path that can't be decoded, such as `/v2/models/%zz`. Prism crashes on these. */
function crashesPrism(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

async function listenOnFreePort(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
