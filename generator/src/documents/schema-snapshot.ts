import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Catalog } from '../catalog/read-catalog.ts';
import type { Digest } from '../content.ts';
import type { Diagnostic } from '../diagnostics.ts';

/** The bytes of a model's schema document as they came, with the entity tag over them. */
export type SchemaSnapshot = DocumentFacts & { readonly bytes: Uint8Array };

export type DocumentFacts = {
  /** Quotes included; undefined when the source sent none. */
  readonly entityTag: string | undefined;
  readonly digest: Digest;
};

/** Whether the output already holds what this document gives, so that its bytes are not needed. */
export type IsCurrent = (entry: CatalogEntry, facts: DocumentFacts) => boolean;

export type DocumentResult = { readonly entry: CatalogEntry; readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly kind: 'current' | 'failed' }
  | { readonly kind: 'read'; readonly snapshot: SchemaSnapshot }
);

export function readAs(entry: CatalogEntry, { entityTag, digest }: DocumentFacts, bytes: Uint8Array): DocumentResult {
  return { entry, kind: 'read', snapshot: { entityTag, digest, bytes }, diagnostics: [] };
}

export function failed(entry: CatalogEntry, diagnostic: Diagnostic): DocumentResult {
  return { entry, kind: 'failed', diagnostics: [diagnostic] };
}

/** Where a generation reads its catalog and schema documents: the router, the cache alone, or what the lockfile names. */
export type DocumentSource = {
  /** Throws GeneratorError. */
  readCatalog(): Promise<Catalog>;
  /** A model that fails is a result; throws GeneratorError when the source as a whole is unusable. */
  readDocument(entry: CatalogEntry): Promise<DocumentResult>;
  /** After the last document. Throws GeneratorError when the documents do not suffice. */
  end(): { readonly asked: number; readonly notModified: number; readonly fetched: number };
};
