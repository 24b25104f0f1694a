import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { createClient } from '../measure/client.ts';
import { load } from '../measure/load.ts';
import type { Figure } from '../report/figures.ts';
import { startSandbox } from './sandbox-child.ts';
import type { SandboxSetting } from './setting.ts';

const total = 100_000;
const step = 20_000;
const headers = { 'x-api-key': sandboxCredentials.router.main };

/** Many reads, with a synchronous run for every thousand. */
export async function measureMemory({ product }: SandboxSetting): Promise<Figure[]> {
  const sandbox = await startSandbox({ product, execArgv: ['--expose-gc'] });
  const client = createClient(headers, 8);
  const held: number[] = [];
  let resident = 0;
  try {
    let done = 0;
    for (let mark = step; mark <= total; mark += step) {
      while (done < mark) {
        for (const path of ['/v2/models', '/v2/models/sandbox/outcomes', '/v2/models/sandbox/outcomes/openapi.json']) {
          done += (await load({ url: sandbox.url, path, headers, connections: 8, forMs: 250 })).answers;
        }
        const runs = Math.ceil((done % step) / 1000);
        for (let index = 0; index < runs; index++)
          await client.ask('POST', `${sandbox.url}/v2/models/sandbox/outcomes`, {});
        done += runs;
      }
      const memory = await sandbox.memoryMb();
      held.push(memory.held);
      resident = memory.resident;
    }
  } finally {
    client.close();
    await sandbox.stop();
  }
  const [first = 0] = held;
  const last = held.at(-1) ?? 0;
  return [
    {
      what: `held after ${total / 1000}k requests, MB`,
      value: Math.round(last),
      beside: `every ${step / 1000}k: ${held.map(Math.round).join(', ')} (${last > first ? '+' : ''}${Math.round(last - first)}), resident ${Math.round(resident)}`,
      target: 'flat',
    },
  ];
}
