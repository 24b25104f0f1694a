import { join } from 'node:path';
import { packageRoot, readText } from '../files.ts';
import type { JsonObject } from '../json.ts';

/** One handwritten model: its catalog facts and its schema document, both with the printed brand. */
export type OwnCatalogModel = { id: string; charges_on_policy_rejection: string; document: JsonObject };

type CatalogEntry = { id: string; billing: { charges_on_policy_rejection: string } };

/** The models under `specs/models`, in the order of their catalog; tests check them. */
export function readOwnCatalog(): readonly OwnCatalogModel[] {
  const folder = join(packageRoot(), 'specs', 'models');
  const catalog: CatalogEntry[] = JSON.parse(readText(join(folder, 'catalog.json')));
  return catalog.map(({ id, billing }) => {
    const document: JsonObject = JSON.parse(readText(join(folder, `${id}.openapi.json`)));
    return { id, charges_on_policy_rejection: billing.charges_on_policy_rejection, document };
  });
}
