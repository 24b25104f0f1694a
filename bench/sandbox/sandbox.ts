import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocuments, readOwnDocuments } from '../documents/document.ts';
import { installProduct } from '../measure/product.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { type Cell, formatTable } from '../report/table.ts';
import { measureCatalog } from './catalog.ts';
import { measureMemory } from './memory.ts';
import { measureQueue } from './queue.ts';
import { measureThroughput } from './throughput.ts';

/** One line of the result: what was measured, how much, and what is wanted. */
export type Figure = { what: string; value: Cell; beside?: string; target: string };
export type SandboxSetting = {
  options: BenchOptions;
  product: string;
  folder: string;
  documents: ReturnType<typeof readOwnDocuments>;
};

const parts: ReadonlyMap<string, (setting: SandboxSetting) => Promise<Figure[]>> = new Map([
  ['throughput', measureThroughput],
  ['catalog', measureCatalog],
  ['queue', measureQueue],
  ['memory', measureMemory],
]);

/** Requests per second, memory and latency of the sandbox, in a process of its own. */
export async function run(options: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-sandbox-'));
  try {
    progress('building the product');
    const product = await installProduct(join(folder, 'product'));
    const documents = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
    const figures: Figure[] = [];
    for (const [name, measure] of parts) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      progress(name);
      figures.push(...(await measure({ options, product, folder, documents })));
    }
    const rows = figures.map(({ what, value, beside = '', target }): Cell[] => [what, value, beside, target]);
    publish(options, { bench: 'sandbox', text: formatTable(['', 'value', 'beside', 'target'], rows), figures });
  } finally {
    if (options.keep) progress(`kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
