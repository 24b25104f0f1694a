import { join } from 'node:path';
import { readDocuments, readOwnDocuments } from '../documents/document.ts';
import { measureParts, type Parts } from '../measure/parts.ts';
import { installProduct, locateEntry } from '../measure/product.ts';
import { withWorkingFolder } from '../measure/working-folder.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { type Part, renderPart } from './part.ts';
import { measureConsumer, measureScale, measureTypes, measureUnchanged } from './parts.ts';
import type { Setting } from './setting.ts';

const parts: Parts<Setting, Part> = new Map([
  ['types', measureTypes],
  ['unchanged', measureUnchanged],
  ['scale', measureScale],
  ['consumer', measureConsumer],
]);

/** Speed and memory of the generator, with floors and peers taken in the same run. */
export function run(options: BenchOptions): Promise<void> {
  return withWorkingFolder(options, async (folder) => {
    progress('building the product');
    const entry = locateEntry(await installProduct(join(folder, 'product')));
    const documents = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
    const done = await measureParts(parts, { documents, folder, entry, runs: options.runs }, options);
    publish(options, { bench: 'generate', text: done.map(renderPart).join('\n\n'), figures: done });
  });
}
