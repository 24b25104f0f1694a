import { openConnection, requestBytes } from './connection.ts';

export type Load = { url: string; path: string; headers?: Record<string, string>; connections: number; forMs: number };
export type Throughput = {
  perSecond: number;
  answers: number /** Responses by status. */;
  statuses: Record<string, number>;
};

/** Repeats a request over keep-alive connections, one at a time on each. */
export async function load({ url, path, headers = {}, connections, forMs }: Load): Promise<Throughput> {
  const request = requestBytes('GET', url + path, headers);
  const statuses: Record<string, number> = {};
  const start = performance.now();
  const until = start + forMs;
  await Promise.all(Array.from({ length: connections }, () => keepAsking({ url, request, statuses, until })));
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { perSecond: (1000 * answers) / (performance.now() - start), answers, statuses };
}

type Asking = { url: string; request: Buffer; statuses: Record<string, number>; until: number };

function keepAsking({ url, request, statuses, until }: Asking): Promise<void> {
  return new Promise((done, failed) => {
    const connection = openConnection(url, {
      answer: ({ status }) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (performance.now() < until) connection.send(request);
        else connection.close();
      },
      failed,
      closed: done,
    });
    connection.send(request);
  });
}
