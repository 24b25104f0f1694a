import { pMapIterable } from 'p-map';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';
import { type DocumentResult, type DocumentSource, failed } from './schema-snapshot.ts';

/** Of a document; real ones stay below fifty levels and a thousand values. */
const bounds = { levels: 300, values: 300_000 };

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
    const refusal = result.kind === 'read' ? whyRefused(result.entry, result.snapshot.bytes) : undefined;
    yield refusal === undefined ? result : failed(result.entry, refusal);
  }
}

function whyRefused({ id }: CatalogEntry, bytes: Uint8Array): Diagnostic | undefined {
  const exceeded = boundExceeded(bytes, bounds);
  if (exceeded === undefined) return undefined;
  const text = {
    levels: `the schema document nests deeper than ${bounds.levels} levels`,
    values: `the schema document holds more than ${bounds.values} values`,
  }[exceeded];
  return {
    severity: 'error',
    code: exceeded === 'levels' ? 'document-too-deep' : 'document-too-large',
    model: id,
    message: text,
    help: 'The model keeps its last good output, if it has one; the other models are not affected.',
  };
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Which bound JSON text exceeds, seen from its bytes alone, so that every later step may recurse and take its time. The
 * result for text that is not JSON is arbitrary.
 */
export function boundExceeded(
  bytes: Uint8Array,
  { levels, values }: { levels: number; values: number },
): 'levels' | 'values' | undefined {
  if (bytes.length < 2 * levels) return undefined;
  let depth = 0;
  let count = 1;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) index = endOfText(bytes, index);
    else if (byte === comma) count++;
    else if (opening.has(byte)) {
      count++;
      if (++depth > levels) return 'levels';
    } else if (closing.has(byte)) depth--;
  }
  return count > values ? 'values' : undefined;
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
