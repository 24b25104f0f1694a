import { join } from 'node:path';
import { packageRoot, readText } from '../files.ts';
import type { JsonObject } from '../json.ts';

/** A handwritten model: its catalog entry and its schema document, both with the brand `Service`. */
export type OwnCatalogModel = { id: string; charges_on_policy_rejection: string; document: JsonObject };

type CatalogEntry = { id: string; billing: { charges_on_policy_rejection: string } };

/** Reads the models under `specs/models` in catalog order. */
export function readOwnCatalog(): readonly OwnCatalogModel[] {
  const folder = join(packageRoot(), 'specs', 'models');
  const catalog: CatalogEntry[] = JSON.parse(readText(join(folder, 'catalog.json')));
  return catalog.map(({ id, billing }) => {
    const document: JsonObject = JSON.parse(readText(join(folder, `${id}.openapi.json`)));
    return { id, charges_on_policy_rejection: billing.charges_on_policy_rejection, document };
  });
}
