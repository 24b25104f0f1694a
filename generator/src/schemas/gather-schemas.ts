import type { Brand } from '../../../specs/src/index.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { GenerateConfig, Progress } from '../config.ts';
import type { Lockfile } from '../output/lockfile.ts';
import type { Spool } from '../ports.ts';
import type { Source } from '../source/source.ts';
import { fetchSchemas } from './fetch-schemas.ts';
import type { Gathered, StandingOf } from './gathered.ts';
import { readCachedSchemas } from './read-cached-schemas.ts';
import { readLockedSchemas } from './read-locked-schemas.ts';
import type { SchemaCache } from './schema-cache.ts';

type Context = {
  readonly source: Source;
  readonly cache: SchemaCache;
  readonly spool: Spool;
  readonly lock: Lockfile | undefined;
  readonly standingOf: StandingOf;
  readonly brand: Brand;
  readonly onProgress: Progress;
};

/** The documents of the run's models, from where the settings allow. */
export async function gatherSchemas(
  entries: readonly CatalogEntry[],
  config: GenerateConfig,
  context: Context,
): Promise<Gathered> {
  const ids = entries.map(({ id }) => id);
  const { concurrency } = config;
  const isOffline = config.source === 'offline';
  if (config.frozen === true) {
    const pins = ids.flatMap((id) => {
      const locked = context.lock?.models[id];
      return locked === undefined ? [] : [{ id, entityTag: locked.entityTag ?? undefined, digest: locked.document }];
    });
    return readLockedSchemas(pins, { ...context, source: isOffline ? undefined : context.source, concurrency });
  }
  return isOffline ? readCachedSchemas(ids, context) : fetchSchemas(ids, { ...context, concurrency });
}
