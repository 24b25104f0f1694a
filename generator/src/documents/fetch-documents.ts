import { pMapIterable } from 'p-map';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';
import { isNestedDeeper } from './nesting.ts';
import { type DocumentResult, type DocumentSource, failed } from './schema-snapshot.ts';

/** Levels of a document; honest ones stay below fifty. */
const deepest = 300;

/** The documents of the models in their order, a few at a time: thousands of them would not fit in memory. */
export async function* fetchDocuments(
  entries: readonly CatalogEntry[],
  source: DocumentSource,
  { concurrency, onProgress }: { concurrency: number; onProgress: Progress },
): AsyncGenerator<DocumentResult> {
  let done = 0;
  const read = async (entry: CatalogEntry): Promise<DocumentResult> => {
    const result = await source.readDocument(entry);
    onProgress({ phase: 'documents', done: ++done, total: entries.length, model: entry.id });
    return result;
  };
  for await (const result of pMapIterable(entries, read, { concurrency, backpressure: 4 * concurrency })) {
    const isTooDeep = result.kind === 'read' && isNestedDeeper(result.snapshot.bytes, deepest);
    yield isTooDeep ? failed(result.entry, tooDeep(result.entry)) : result;
  }
}

function tooDeep({ id }: CatalogEntry): Diagnostic {
  return {
    severity: 'error',
    code: 'document-too-deep',
    model: id,
    message: `the schema document nests deeper than ${deepest} levels`,
    help: 'The model keeps its last good output, if it has one; the other models are not affected.',
  };
}
