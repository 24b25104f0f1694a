import { pMapIterable } from 'p-map';
import { measureJson } from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Catalog } from '../catalog/read-catalog.ts';
import type { Digest } from '../content.ts';
import type { Deadline } from '../deadline.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Progress } from '../ports.ts';

/** The bytes of a model's schema document as they came, with the entity tag over them. */
export type SchemaSnapshot = DocumentFacts & { readonly bytes: Uint8Array };

export type DocumentFacts = {
  /** Quotes included; undefined when the source sent none. */
  readonly entityTag: string | undefined;
  readonly digest: Digest;
};

/** True if the output already has the files of this document, so that its bytes are not needed. */
export type IsCurrent = (entry: CatalogEntry, facts: DocumentFacts) => boolean;

/**
 * Why a model has no new output: its document could not be read, the router withholds it from this caller (403) or has it no more
 * (404), or nothing can be made of it.
 */
export type Failure = 'unread' | 'withheld' | 'unusable';

export type DocumentResult = { readonly entry: CatalogEntry; readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly kind: 'current' | Failure }
  | { readonly kind: 'read'; readonly snapshot: SchemaSnapshot }
);

/** Why a model fails. */
type Refusal = Pick<Diagnostic, 'code' | 'message' | 'help'>;

export function fail(entry: CatalogEntry, { code, ...words }: Refusal, kind: Failure = 'unread'): DocumentResult {
  return { entry, kind, diagnostics: [{ severity: 'error', code, model: entry.id, ...words }] };
}

/** Where a generation reads its catalog and schema documents: the router, only the cache, or the documents named in the lockfile. */
export type DocumentSource = {
  /** Throws GeneratorError. */
  readCatalog(): Promise<Catalog>;
  /** A model that fails is a result; throws GeneratorError when the source as a whole is unusable. */
  readDocument(entry: CatalogEntry): Promise<DocumentResult>;
  /** After the last document. Throws GeneratorError when the documents do not suffice. */
  end(): { readonly asked: number; readonly notModified: number; readonly fetched: number };
};

/** Limits of a document, checked before it is parsed; real ones stay below fifty levels and a thousand values. */
const bounds = { levels: 300, values: 300_000 };

/** The documents of the models in their order, a few at a time: thousands of them would not fit in memory. */
export async function* fetchDocuments(
  entries: readonly CatalogEntry[],
  source: DocumentSource,
  { concurrency, onProgress, deadline }: { concurrency: number; onProgress: Progress; deadline: Deadline },
): AsyncGenerator<DocumentResult> {
  let done = 0;
  const read = async (entry: CatalogEntry): Promise<DocumentResult> => {
    const result = deadline.isOver() ? fail(entry, tooLate) : await source.readDocument(entry);
    onProgress('documents', { done: ++done, total: entries.length, subject: entry.id });
    return result;
  };
  for await (const result of pMapIterable(entries, read, { concurrency, backpressure: 4 * concurrency })) {
    if (result.kind !== 'read') yield result;
    // A document that was read in time may take long to compile.
    else if (deadline.isOver()) yield fail(result.entry, tooLate);
    else {
      const refusal = whyRefused(result.snapshot);
      yield refusal === undefined ? result : fail(result.entry, refusal, 'unusable');
    }
  }
}

function whyRefused({ bytes }: SchemaSnapshot): Refusal | undefined {
  const { deepest, values } = measureJson(bytes);
  const isTooDeep = deepest > bounds.levels;
  if (!isTooDeep && values < bounds.values) return undefined;
  const code = isTooDeep ? 'document-too-deep' : 'document-too-large';
  const what = isTooDeep ? `nests deeper than ${bounds.levels} levels` : `holds more than ${bounds.values} values`;
  const help = 'The model keeps its last good output, if it has one; the other models are not affected.';
  return { code, message: `the schema document ${what}`, help };
}

const tooLate: Refusal = {
  code: 'document-not-read',
  message: 'the schema document is not read any more: the deadline of the generation has passed',
  help: 'The model keeps its last good output, if it has one. Run again, or with a longer --deadline.',
};
