import { startMock } from '../../contract-tests/src/index.ts';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import { createClient } from '../measure/client.ts';
import { load } from '../measure/load.ts';
import { median } from '../measure/process.ts';
import type { Figure } from '../report/figures.ts';
import { startSandbox } from './sandbox-child.ts';
import type { SandboxSetting } from './setting.ts';

const connections = 16;
const forMs = 2000;
const headers = { 'x-api-key': sandboxCredentials.router.main };

/** The same operation, the same client, the same run: stateful here, static there. */
export async function measureThroughput({ options, product }: SandboxSetting): Promise<Figure[]> {
  const sandbox = await startSandbox({ product, options: { timings: { waitingMs: 3_600_000 } } });
  const mock = await startMock(await buildEffectiveSpecs(defaultSpecSettings));
  try {
    const statusUrl = await submitOne(sandbox.url);
    const status = new URL(statusUrl).pathname;
    const figures: Figure[] = [];
    for (const [what, path] of [
      ['catalog list', '/v2/models'],
      ['status poll', status],
    ] as const) {
      const own: number[] = [];
      const peer: number[] = [];
      for (let round = 0; round < options.runs; round++) {
        own.push(await rate(sandbox.url, path));
        peer.push(await rate(mock.routerUrl, path));
      }
      const [ours, theirs] = [median(own), median(peer)];
      figures.push({
        what: `${what}, requests/s`,
        value: Math.round(ours),
        beside: `Prism, static: ${Math.round(theirs)} (${(ours / theirs).toFixed(1)} ×)`,
        target: '≥ 3 ×',
      });
    }
    return figures;
  } finally {
    await mock.close();
    await sandbox.stop();
  }
}

async function submitOne(url: string): Promise<string> {
  const client = createClient(headers, 1);
  const { status, body } = await client.ask('POST', `${url}/v2/models/sandbox/outcomes/requests`, {});
  client.close();
  if (status !== 201) throw new Error(`the sandbox answered ${status} to a submit: ${body}`);
  return String(JSON.parse(body).status_url);
}

async function rate(url: string, path: string): Promise<number> {
  const { perSecond, statuses } = await load({ url, path, headers, connections, forMs });
  if (Object.keys(statuses).join() !== '200') throw new Error(`${url}${path} answered ${JSON.stringify(statuses)}`);
  return perSecond;
}
