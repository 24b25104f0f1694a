import { type Listing, listModels } from './catalog/list-models.ts';
import type { GenerateConfig, Progress } from './config.ts';
import type { Lockfile } from './output/lockfile.ts';
import type { Ports, Spool } from './ports.ts';
import { gatherSchemas } from './schemas/gather-schemas.ts';
import type { Gathered, StandingOf } from './schemas/gathered.ts';
import { openSchemaCache, type SchemaCache } from './schemas/schema-cache.ts';
import { createSource } from './source/source.ts';

/** What a run learns from its source, or from the cache in its place: the models, and the documents of those that need one. */
export type Asked = { readonly listing: Listing; readonly gathered: Gathered; readonly cache: SchemaCache };
type How = {
  readonly lock: Lockfile | undefined;
  readonly spool: Spool;
  readonly onProgress: Progress;
  readonly standingOf: (listing: Listing, cache: SchemaCache) => StandingOf;
};

export async function ask(config: GenerateConfig, ports: Ports, how: How): Promise<Asked> {
  const source = createSource(config, ports);
  const cache = await openSchemaCache(config, ports.files);
  const { brand } = config.specs.settings;
  const context = { source, brand, cache, lock: how.lock, spool: how.spool, onProgress: how.onProgress };
  const listing = await listModels(config, { ...context, cached: cache.catalog });
  const standingOf = how.standingOf(listing, cache);
  return { listing, cache, gathered: await gatherSchemas(listing.selected, config, { ...context, standingOf }) };
}
