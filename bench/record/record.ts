import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRecordingProxy } from '../../contract-tests/src/index.ts';
import { createSandbox, listen, sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import { type Client, createClient } from '../measure/client.ts';
import { median } from '../measure/process.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { formatTable } from '../report/table.ts';

const callsPerRun = 400;
const headers = { 'x-api-key': sandboxCredentials.router.main };
const calls = [
  { what: 'catalog page', method: 'GET', path: '/v2/models', body: undefined },
  { what: 'run, 100 kB result', method: 'POST', path: '/v2/models/sandbox/outcomes', body: { size_bytes: 100_000 } },
  { what: 'submission', method: 'POST', path: '/v2/models/sandbox/outcomes/requests', body: {} },
] as const;

type Setting = { readonly server: string; readonly bare: string; readonly client: Client; readonly rounds: number };
type Took = Record<'direct' | 'bare' | 'recording', number[]>;
type Figure = { what: string; direct: number; bare: number; recording: number; ratio: number };

/** What a call through the recording proxy takes longer, beside one through a bare proxy of Node's own parts. */
export async function run(options: BenchOptions): Promise<void> {
  const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const bare = await startBareProxy(server.url);
  const client = createClient(headers, 1);
  const figures: Figure[] = [];
  try {
    for (const call of calls) {
      progress(call.what);
      figures.push(await measure(call, { server: server.url, bare: bare.url, client, rounds: options.runs }));
    }
  } finally {
    client.close();
    await bare.close();
    await server.close();
    sandbox.close();
  }
  const head = ['call', 'direct, ms', 'bare proxy, + ms', 'recording, + ms', 'ratio (≤ 2)'];
  const rows = figures.map(({ what, ...one }) => [what, ...Object.values(one).map((value) => value.toFixed(3))]);
  publish(options, { bench: 'record', text: formatTable(head, rows), figures });
}

async function measure(call: (typeof calls)[number], { server, bare, client, rounds }: Setting): Promise<Figure> {
  const took: Took = { direct: [], bare: [], recording: [] };
  for (let round = 0; round <= rounds; round += 1) {
    // A proxy of its own for each round: what it holds of earlier ones is the garbage collector's affair.
    const recording = await startRecordingProxy({ urls: { router: server } });
    const all = await callAll(call, { direct: server, bare, recording: recording.url }, client);
    await recording.close();
    if (round === 0) continue; // it warms up
    for (const way of ['direct', 'bare', 'recording'] as const) took[way].push(...all[way]);
  }
  const direct = median(took.direct);
  const [plain, ours] = [median(took.bare) - direct, median(took.recording) - direct];
  return { what: call.what, direct, bare: plain, recording: ours, ratio: ours / plain };
}

/** In turns, so that each way has the same moments. */
async function callAll(call: (typeof calls)[number], urls: Record<keyof Took, string>, client: Client): Promise<Took> {
  const took: Took = { direct: [], bare: [], recording: [] };
  for (let index = 0; index < callsPerRun; index += 1) {
    for (const way of ['direct', 'bare', 'recording'] as const) {
      const { ms, status } = await client.ask(call.method, `${urls[way]}${call.path}`, call.body);
      if (status !== 200 && status !== 201) throw new Error(`${way} answered ${status}`);
      took[way].push(ms);
    }
  }
  return took;
}

async function startBareProxy(target: string): Promise<{ url: string; close(): Promise<void> }> {
  const agent = new Agent({ keepAlive: true });
  const server: Server = createServer((incoming, reply) => {
    const { method, url = '/', headers: sent } = incoming;
    const upstream = request(new URL(url, target), { method, headers: sent, agent }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}
