import type { ModelId } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { DocumentFacts } from './fetch-documents.ts';

const longestTag = 512;

/** Reads an entity tag, if it is well-formed: sending back `*` or an unquoted word would match every document. */
export function readEntityTag(
  model: ModelId,
  value: string | undefined,
): { entityTag: string | undefined; diagnostics: readonly Diagnostic[] } {
  const isTag = value === undefined || (value.length <= longestTag && /^(?:W\/)?"[^"\p{Cc}]*"$/u.test(value));
  if (isTag) return { entityTag: value, diagnostics: [] };
  const message = `the source sent a malformed entity tag: ${JSON.stringify(value.slice(0, 60))}`;
  const help = 'Without an entity tag, the whole document is downloaded every time.';
  const diagnostic: Diagnostic = { severity: 'note', code: 'entity-tag-malformed', model, message, help };
  return { entityTag: undefined, diagnostics: [diagnostic] };
}

/** Reports an entity tag that stayed the same although the bytes changed, or that changed although the bytes did not. */
export function compareEntityTags(
  model: ModelId,
  fetched: DocumentFacts,
  known: DocumentFacts | undefined,
): Diagnostic[] {
  if (known?.entityTag === undefined) return [];
  const isSameTag = known.entityTag === fetched.entityTag;
  if ((known.digest === fetched.digest) === isSameTag) return [];
  if (isSameTag) {
    const message = `the document changed, but its entity tag ${fetched.entityTag} did not`;
    const help = 'Such a source may return 304 for a document that has changed. To be safe, delete the cache.';
    return [{ severity: 'warning', code: 'entity-tag-reused', model, message, help }];
  }
  const now = fetched.entityTag === undefined ? 'no entity tag' : `the entity tag ${fetched.entityTag}`;
  const message = `the document did not change, but its entity tag did: ${known.entityTag} before, ${now} now`;
  return [{ severity: 'note', code: 'entity-tag-restless', model, message }];
}
