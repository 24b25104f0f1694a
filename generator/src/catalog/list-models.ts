import type { Brand } from '../../../specs/src/index.ts';
import type { GenerateConfig, Progress } from '../config.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { Lockfile } from '../output/lockfile.ts';
import type { Source } from '../source/source.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { parseModelId } from './model-id.ts';
import { type Catalog, readCatalog } from './read-catalog.ts';
import { selectModels } from './select-models.ts';

/** The models of a run: all that are listed, and those among them that the settings ask for. */
export type Listing = {
  readonly listed: number;
  readonly selected: readonly CatalogEntry[];
  /** Worth remembering: every entry, as a complete walk has just found them. */
  readonly fresh: readonly CatalogEntry[] | undefined;
  readonly diagnostics: Catalog['diagnostics'];
  readonly pages: number;
};
type Context = {
  readonly source: Source;
  readonly cached: readonly CatalogEntry[] | undefined;
  readonly lock: Lockfile | undefined;
  readonly brand: Brand;
  readonly onProgress: Progress;
};

/** From the lockfile when that is to be built, else from the source, or from what it last said. Throws GeneratorError. */
export async function listModels(config: GenerateConfig, context: Context): Promise<Listing> {
  if (config.frozen === true) {
    const selected = lockedEntries(context.lock);
    return { listed: selected.length, selected, fresh: undefined, diagnostics: [], pages: 0 };
  }
  const catalog = config.source === 'offline' ? cachedCatalog(context) : await readCatalog(context.source, context);
  const selection = selectModels(catalog.entries, config.only);
  if (selection.selected.length === 0 && !config.allowEmpty) throw emptyCatalog(catalog.entries.length);
  return {
    listed: catalog.entries.length,
    selected: selection.selected,
    fresh: config.source === 'offline' ? undefined : catalog.entries,
    diagnostics: [...catalog.diagnostics, ...selection.diagnostics],
    pages: catalog.pages,
  };
}

function lockedEntries(lock: Lockfile | undefined): CatalogEntry[] {
  if (lock === undefined) {
    throw new GeneratorError('lock-missing', 'the output folder has no lockfile that can be read', {
      operation: 'listModels',
      help: 'A frozen run builds what switchyard.lock.json names. Run once without --frozen and commit the file.',
    });
  }
  return entriesOf(lock);
}

function entriesOf({ models }: Lockfile): CatalogEntry[] {
  return Object.entries(models).flatMap(([text, { chargesOnPolicyRejection }]) => {
    const parsed = parseModelId(text);
    return 'id' in parsed ? [{ id: parsed.id, chargesOnPolicyRejection }] : [];
  });
}

// A lockfile beside an empty cache still says which documents are missing.
function cachedCatalog({ cached, lock }: Context): Catalog {
  const entries = cached ?? (lock === undefined ? undefined : entriesOf(lock));
  if (entries !== undefined) return { entries, diagnostics: [], pages: 0 };
  throw new GeneratorError('cache-empty', 'the cache knows nothing of this source', {
    operation: 'listModels',
    help: 'Run once without --offline, with the same router address and credential; the cache belongs to both.',
  });
}

function emptyCatalog(listed: number): GeneratorError {
  const what = listed === 0 ? 'the catalog lists no models' : 'no model of the catalog is selected';
  return new GeneratorError('catalog-empty', what, {
    operation: 'listModels',
    help: 'Generating from nothing would remove every model from the output. Add --allow-empty if that is meant.',
  });
}
