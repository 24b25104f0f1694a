import { pMapIterable } from 'p-map';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';
import { type DocumentResult, type DocumentSource, failed } from './schema-snapshot.ts';

/** Levels of a document; real ones stay below fifty. */
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

const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Whether JSON text nests deeper, seen from its bytes alone, so that every later step may recurse. The result for text
 * that is not JSON is arbitrary.
 */
export function isNestedDeeper(bytes: Uint8Array, deepest: number): boolean {
  if (bytes.length < 2 * deepest) return false;
  let depth = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) index = endOfText(bytes, index);
    else if (opening.has(byte)) {
      if (++depth > deepest) return true;
    } else if (closing.has(byte)) depth--;
  }
  return false;
}

function endOfText(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(quote, start + 1);
  while (end > 0 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  return end < 0 ? bytes.length : end;
}

function isEscaped(bytes: Uint8Array, index: number): boolean {
  let backslashes = 0;
  while (bytes[index - 1 - backslashes] === backslash) backslashes++;
  return backslashes % 2 === 1;
}
