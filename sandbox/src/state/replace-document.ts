import type { Brand } from '../../../specs/src/index.ts';
import { serveModel } from '../models/served-model.ts';
import type { Catalog } from './catalog.ts';

/**
 * The catalog with another schema document for one of its models, and everything made from it made anew; undefined for a model
 * that it does not hold. No rebuild: the listing is the same, so cursors live on.
 */
export function replaceDocument(
  catalog: Catalog,
  { id, bytes }: { id: string; bytes: Uint8Array },
  brand: Brand,
): Catalog | undefined {
  const source = catalog.sources.find((model) => model.id === id);
  if (source === undefined) return undefined;
  const changed = { ...source, bytes };
  const served = serveModel(changed, brand);
  return {
    ...catalog,
    models: catalog.models.map((model) => (model.id === id ? served : model)),
    byId: new Map(catalog.byId).set(id, served),
    sources: catalog.sources.map((model) => (model.id === id ? changed : model)),
  };
}
