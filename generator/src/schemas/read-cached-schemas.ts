import type { ModelId } from '../catalog/model-id.ts';
import type { Spool } from '../ports.ts';
import { type Gathered, type GatheredModel, gather, type StandingOf, withoutBytes } from './gathered.ts';
import type { SchemaCache } from './schema-cache.ts';

type Context = { readonly cache: SchemaCache; readonly spool: Spool; readonly standingOf: StandingOf };

/** The documents seen last, without asking anyone; what is missing is a diagnostic of its model. */
export async function readCachedSchemas(models: readonly ModelId[], context: Context): Promise<Gathered> {
  const results: GatheredModel[] = [];
  for (const model of models) results.push(await readCached(model, context));
  return gather(models, results, { asked: 0, notModified: 0, fetched: 0 });
}

async function readCached(model: ModelId, { cache, spool, standingOf }: Context): Promise<GatheredModel> {
  const known = cache.find(model);
  const done = known === undefined ? undefined : withoutBytes(model, known, standingOf);
  if (done !== undefined) return done;
  const bytes = known === undefined ? undefined : await cache.load(known.digest);
  if (known !== undefined && bytes !== undefined) {
    const { entityTag, digest } = known;
    return { snapshot: { modelId: model, entityTag, digest, read: spool.keep(bytes), origin: 'offline' } };
  }
  return {
    failure: {
      severity: 'error',
      code: 'document-not-cached',
      model,
      message:
        known === undefined ? 'the cache has no document of this model' : 'the cached document is gone or damaged',
      help: 'Run once without --offline, with the same router address and credential.',
    },
  };
}
