import type { ModelId } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { DocumentFacts } from './fetch-documents.ts';

const longestTag = 512;

/**
 * Returns the entity tag of a received document, or undefined for a malformed one: sending back `*` would match every
 * document. Also reports a tag that stayed the same although the bytes changed, or that changed although they did not.
 */
export function checkEntityTag(
  model: ModelId,
  { entityTag, digest }: DocumentFacts,
  before: DocumentFacts | undefined,
): { entityTag: string | undefined; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const isTag =
    entityTag === undefined || (entityTag.length <= longestTag && /^(?:W\/)?"[^"\p{Cc}]*"$/u.test(entityTag));
  if (!isTag) {
    const message = `the source sent a malformed entity tag: ${JSON.stringify(entityTag.slice(0, 60))}`;
    const help = 'Without an entity tag, the whole document is downloaded every time.';
    diagnostics.push({ severity: 'note', code: 'entity-tag-malformed', model, message, help });
  }
  const tag = isTag ? entityTag : undefined;
  const isSameTag = before?.entityTag === tag;
  if (before?.entityTag !== undefined && (before.digest === digest) !== isSameTag) {
    if (isSameTag) {
      const message = `the document changed, but its entity tag ${tag} did not`;
      const help = 'Such a source may return 304 for a document that has changed. To be safe, delete the cache.';
      diagnostics.push({ severity: 'warning', code: 'entity-tag-reused', model, message, help });
    } else {
      const now = tag === undefined ? 'no entity tag' : `the entity tag ${tag}`;
      const message = `the document did not change, but its entity tag did: ${before.entityTag} before, ${now} now`;
      diagnostics.push({ severity: 'note', code: 'entity-tag-restless', model, message });
    }
  }
  return { entityTag: tag, diagnostics };
}
