import { join } from 'node:path';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { multiply, writeDocuments } from '../documents/multiply.ts';
import { createClient } from '../measure/client.ts';
import { median } from '../measure/process.ts';
import type { Figure } from '../report/figures.ts';
import { startSandbox } from './sandbox-child.ts';
import type { SandboxSetting } from './setting.ts';

const models = 10_000;

/** A catalog far larger than any real one. */
export async function measureCatalog({ options, product, folder, documents }: SandboxSetting): Promise<Figure[]> {
  const catalog = join(folder, 'catalog');
  await writeDocuments(multiply(documents, models), catalog);
  const ready: number[] = [];
  const held: number[] = [];
  const walked: number[] = [];
  for (let round = 0; round < options.runs; round++) {
    const sandbox = await startSandbox({ product, catalog });
    try {
      ready.push(sandbox.readyMs);
      held.push((await sandbox.memoryMb()).resident);
      await walk(sandbox.url);
      walked.push((await sandbox.memoryMb()).resident);
    } finally {
      await sandbox.stop();
    }
  }
  return [
    { what: '10,000 models: ready, ms', value: Math.round(median(ready)), target: '< 2,000' },
    {
      what: '10,000 models: memory, MB',
      value: Math.round(median(held)),
      beside: `${Math.round(median(walked))} after walking the catalog and reading 100 documents`,
      target: '< 300',
    },
  ];
}

async function walk(url: string): Promise<void> {
  const client = createClient({ 'x-api-key': sandboxCredentials.router.main }, 4);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await client.ask('GET', `${url}/v2/models?limit=100${query}`);
    if (status !== 200) throw new Error(`a page was answered with ${status}: ${body}`);
    const page: { data: { id: string }[]; has_more: boolean; next_cursor?: string } = JSON.parse(body);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.has_more ? page.next_cursor : undefined;
  } while (cursor !== undefined);
  if (ids.length !== models) throw new Error(`the catalog lists ${ids.length} models`);
  for (const id of ids.filter((_, index) => index % 100 === 0)) {
    const { status } = await client.ask('GET', `${url}/v2/models/${id}/openapi.json`);
    if (status !== 200) throw new Error(`the document of ${id} was answered with ${status}`);
  }
  client.close();
}
