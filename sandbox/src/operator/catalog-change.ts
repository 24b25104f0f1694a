import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { isModelId } from '../catalog-folder.ts';
import { SandboxError } from '../errors.ts';
import { listOf } from '../named-members.ts';
import type { CatalogModel } from '../options.ts';

/** Documents replace those of the same id, or join at the end. Throws SandboxError for an id or a document that is none. */
export function rebuiltCatalog(models: readonly CatalogModel[], body: JsonObject): CatalogModel[] {
  const removed = listOf(body, 'remove');
  const documents = body['documents'] ?? {};
  if (!isJsonObject(documents)) throw new SandboxError('documents must be an object from model id to document');
  const changed = new Map(models.filter(({ id }) => !removed.includes(id)).map((model) => [model.id, model]));
  for (const [id, document] of Object.entries(documents)) {
    if (!isModelId(id) || !isJsonObject(document)) {
      throw new SandboxError(`${JSON.stringify(id)} must be <provider>/<model>, two slugs, with a document`);
    }
    const bytes = new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
    changed.set(id, { id, billing: changed.get(id)?.billing ?? 'unknown', bytes });
  }
  return [...changed.values()];
}
