import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocuments, readOwnDocuments } from '../documents/document.ts';
import { entryOf, installProduct } from '../measure/product.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { type Part, renderPart } from './part.ts';
import { measureConsumer, measureScale, measureTypes, measureUnchanged } from './parts.ts';
import type { Setting } from './setting.ts';

const parts: ReadonlyMap<string, (setting: Setting) => Promise<Part>> = new Map([
  ['types', measureTypes],
  ['unchanged', measureUnchanged],
  ['scale', measureScale],
  ['consumer', measureConsumer],
]);

/** Speed and memory of the generator, with floors and peers taken in the same run. */
export async function run(options: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-generate-'));
  try {
    progress('building the product');
    const entry = entryOf(await installProduct(join(folder, 'product')));
    const documents = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
    const setting: Setting = { documents, folder, entry, runs: options.runs };
    const done: Part[] = [];
    for (const [name, measure] of parts) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      progress(name);
      done.push(await measure(setting));
    }
    publish(options, { bench: 'generate', text: done.map(renderPart).join('\n\n'), figures: done });
  } finally {
    if (options.keep) progress(`kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
