import { join } from 'node:path';
import { readDocuments, readOwnDocuments } from '../documents/document.ts';
import { measureParts, type Parts } from '../measure/parts.ts';
import { installProduct } from '../measure/product.ts';
import { withWorkingFolder } from '../measure/working-folder.ts';
import type { BenchOptions } from '../options.ts';
import { type Figure, renderFigures } from '../report/figures.ts';
import { progress, publish } from '../report/output.ts';
import { measureCatalog } from './catalog.ts';
import { measureMemory } from './memory.ts';
import { measureQueue } from './queue.ts';
import type { SandboxSetting } from './setting.ts';
import { measureThroughput } from './throughput.ts';

const parts: Parts<SandboxSetting, Figure[]> = new Map([
  ['throughput', measureThroughput],
  ['catalog', measureCatalog],
  ['queue', measureQueue],
  ['memory', measureMemory],
]);

/** Requests per second, memory and latency of the sandbox, in a process of its own. */
export function run(options: BenchOptions): Promise<void> {
  return withWorkingFolder(options, async (folder) => {
    progress('building the product');
    const product = await installProduct(join(folder, 'product'));
    const documents = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
    const figures = (await measureParts(parts, { options, product, folder, documents }, options)).flat();
    publish(options, { bench: 'sandbox', text: renderFigures(figures), figures });
  });
}
