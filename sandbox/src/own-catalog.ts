import {
  type Brand,
  defaultBrand,
  findBrandWords,
  isJsonObject,
  readOwnCatalog,
  recogniseBrand,
} from '../../specs/src/index.ts';
import type { CatalogModel } from './models/served-model.ts';
import { parseJson } from './parse-json.ts';

/** Ids of the two models whose input selects the outcome of a run. `alternate` belongs to a different provider. */
export const outcomeModelIds = { main: 'sandbox/outcomes', alternate: 'sandbox-two/outcomes' } as const;

export function isOutcomeModel(id: string): boolean {
  return id === outcomeModelIds.main || id === outcomeModelIds.alternate;
}

export function ownCatalog(): CatalogModel[] {
  const encoder = new TextEncoder();
  return readOwnCatalog().map((model) => ({
    id: model.id,
    billing: model.charges_on_policy_rejection,
    bytes: encoder.encode(`${JSON.stringify(model.document, null, 2)}\n`),
  }));
}

/** Appends the outcome models, whose input selects the outcome of a run, unless the catalog already contains them. */
export function withOutcomeModels(catalog: readonly CatalogModel[]): CatalogModel[] {
  const knownIds = new Set(catalog.map(({ id }) => id));
  return [...catalog, ...ownCatalog().filter(({ id }) => isOutcomeModel(id) && !knownIds.has(id))];
}

const maxDocuments = 50;

/** Returns the brand in the documents of a catalog; undefined if the documents have no brand or the default brand. */
export function recogniseCatalogBrand(models: readonly CatalogModel[]): Brand | undefined {
  const own = models.filter(({ id }) => !isOutcomeModel(id));
  const documents = own.slice(0, maxDocuments).map(({ bytes }) => {
    const document = parseJson(new TextDecoder().decode(bytes));
    return isJsonObject(document) ? findBrandWords(document) : [];
  });
  return recogniseBrand({ documents, headers: [] }, defaultBrand);
}
