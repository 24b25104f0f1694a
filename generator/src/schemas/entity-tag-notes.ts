import type { Diagnostic } from '../diagnostics.ts';
import type { DocumentFacts, SchemaSnapshot } from './schema-snapshot.ts';

/** What a fresh 200 gives away about its source: a tag that stayed while the bytes changed, or the other way round. */
export function entityTagNotes(fetched: SchemaSnapshot, known: DocumentFacts | undefined): Diagnostic[] {
  if (known?.entityTag === undefined) return [];
  const sameBytes = known.digest === fetched.digest;
  const sameTag = known.entityTag === fetched.entityTag;
  if (sameBytes === sameTag) return [];
  const model = fetched.modelId;
  if (sameTag) {
    return [
      {
        severity: 'warning',
        code: 'entity-tag-reused',
        model,
        message: `the document has changed under the same entity tag ${fetched.entityTag}`,
        help: 'A source that does this may answer 304 for a document that has changed; delete the cache to be sure.',
      },
    ];
  }
  const now = fetched.entityTag === undefined ? 'no entity tag' : `the entity tag ${fetched.entityTag}`;
  return [
    {
      severity: 'note',
      code: 'entity-tag-restless',
      model,
      message: `the same bytes came with ${now} and with ${known.entityTag} before`,
    },
  ];
}
