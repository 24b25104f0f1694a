import { connect } from 'node:net';

export type Load = { url: string; path: string; headers?: Record<string, string>; connections: number; forMs: number };
export type Throughput = {
  perSecond: number;
  answers: number /** Answers by status. */;
  statuses: Record<string, number>;
};

/**
 * Asks the same again over kept connections, one request at a time on each. Reads no more of an answer than its status
 * and where it ends, so that the server and not the client sets the pace.
 */
export async function load({ url, path, headers = {}, connections, forMs }: Load): Promise<Throughput> {
  const { hostname, port } = new URL(url);
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const statuses: Record<string, number> = {};
  const start = performance.now();
  const until = start + forMs;
  await Promise.all(
    Array.from({ length: connections }, () => keepAsking({ port: Number(port), hostname, request, statuses, until })),
  );
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { perSecond: (1000 * answers) / (performance.now() - start), answers, statuses };
}

type Asking = { port: number; hostname: string; request: Buffer; statuses: Record<string, number>; until: number };

function keepAsking({ port, hostname, request, statuses, until }: Asking): Promise<void> {
  return new Promise((done, fail) => {
    const socket = connect(port, hostname, () => socket.write(request));
    socket.setNoDelay(true);
    let held: Buffer = Buffer.alloc(0);
    socket.on('error', fail);
    socket.on('close', () => done());
    socket.on('data', (part: Buffer) => {
      held = held.length === 0 ? part : Buffer.concat([held, part]);
      const end = endOfAnswer(held);
      if (end === undefined) return;
      const status = held.toString('latin1', 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      held = Buffer.from(held.subarray(end));
      if (performance.now() < until) socket.write(request);
      else socket.destroy();
    });
  });
}

function endOfAnswer(held: Buffer): number | undefined {
  const head = held.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = held.toString('latin1', 0, head).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(text)?.[1];
  if (length !== undefined) return held.length >= head + 4 + Number(length) ? head + 4 + Number(length) : undefined;
  if (!text.includes('\r\ntransfer-encoding: chunked')) return head + 4;
  const last = held.indexOf('0\r\n\r\n', head + 4);
  return last < 0 ? undefined : last + 5;
}
