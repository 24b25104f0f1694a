import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { ModelId } from '../catalog/model-id.ts';
import type { Credential } from '../config.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { Files } from '../ports.ts';
import { type CacheIndex, type Known, type Notes, parseCacheIndex, printCacheIndex } from './cache-index.ts';
import type { SchemaSnapshot } from './schema-snapshot.ts';

/** Snapshots of one source as one credential sees it; whatever is damaged counts as absent. */
export type SchemaCache = {
  /** The document seen last. */
  find(id: ModelId): Known | undefined;
  /** A document of this source by its digest, also one that has been replaced since. */
  load(digest: Digest): Promise<Uint8Array | undefined>;
  /** As it was listed last; undefined before the first complete walk. */
  readonly catalog: readonly CatalogEntry[] | undefined;
  /** What was said about a model when its output was made from these inputs. */
  notes(id: ModelId, inputs: Digest): readonly Diagnostic[];
  /** Which code made the output that a lockfile describes, if a run with this cache did. */
  makerOf(lock: Digest): Digest | undefined;
  /** Adds what is new; writes nothing when all is known. What other runs have added meanwhile stays. */
  save(news: News): Promise<void>;
};
export type News = {
  readonly catalog: readonly CatalogEntry[] | undefined;
  readonly snapshots: readonly SchemaSnapshot[];
  readonly notes: ReadonlyMap<ModelId, Notes>;
  readonly made: { readonly lock: Digest; readonly by: Digest } | undefined;
};

const indexName = 'index.json';
/** Of one model, beside the one that it has now: what a lockfile of the last weeks may still ask for. */
const earlierAtMost = 4;
const madeAtMost = 20;

type Place = { readonly cacheDir: string; readonly routerUrl: string; readonly credential: Credential | undefined };

export function cacheIndexPath(place: Place): string {
  return `${cacheFolderOf(place)}/${indexName}`;
}

export async function openSchemaCache(place: Place, files: Files): Promise<SchemaCache> {
  const folder = cacheFolderOf(place);
  const index = await readIndex(folder, files);
  return {
    find: (id) => index.models.get(id),
    async load(digest) {
      const path = `${folder}/${objectPath(digest)}`;
      const bytes = (await files.read([path])).get(path);
      return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
    },
    catalog: index.catalog,
    notes(id, inputs) {
      const notes = index.notes.get(id);
      return notes?.inputs === inputs ? notes.diagnostics : [];
    },
    makerOf: (lock) => index.made.get(lock),
    async save(news) {
      if (printCacheIndex(add(news, index)) === printCacheIndex(index)) return;
      await files.exclusively(folder, () => write(folder, news, files));
    },
  };
}

/** Documents are private to the credential that read them, so each source and credential has a folder of its own (MR-SCH-11). */
export function cacheFolderOf({ cacheDir, routerUrl, credential }: Place): string {
  const url = URL.parse(routerUrl);
  const place = url === null ? routerUrl : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const fingerprint = credential === undefined ? 'none' : digestOf(`${credential.kind} ${credential.value}`);
  return `${cacheDir}/v2/${digestOf(`${place}\n${fingerprint}`).slice('sha256:'.length, 40)}`;
}

function objectPath(digest: Digest): string {
  return `objects/${digest.slice('sha256:'.length)}.json`;
}

async function readIndex(folder: string, files: Files): Promise<CacheIndex> {
  const path = `${folder}/${indexName}`;
  return parseCacheIndex((await files.read([path])).get(path));
}

// Objects first and the index last: a run that is killed in between leaves a few objects that nobody names yet.
async function write(folder: string, news: News, files: Files): Promise<void> {
  const index = add(news, await readIndex(folder, files));
  const fetched = news.snapshots.filter(({ origin }) => origin === 'fetched');
  const objects = fetched.map(({ digest, read }) => ({ path: objectPath(digest), bytes: () => [read()] }));
  const named = new Set(
    [...index.models.values()].flatMap(({ digest, earlier }) => [digest, ...earlier]).map(objectPath),
  );
  const present = (await files.list(`${folder}/objects`)).map((name) => `objects/${name}`);
  await files.store({
    root: folder,
    writes: [...objects, { path: indexName, bytes: printCacheIndex(index) }],
    removals: present.filter((path) => !named.has(path)),
  });
}

function add({ catalog, snapshots, notes, made }: News, index: CacheIndex): CacheIndex {
  const models = new Map(index.models);
  for (const { modelId, entityTag, digest, origin } of snapshots) {
    if (origin !== 'fetched') continue;
    const before = models.get(modelId);
    const earlier = before === undefined ? [] : [before.digest, ...before.earlier].filter((other) => other !== digest);
    models.set(modelId, { entityTag, digest, earlier: [...new Set(earlier)].slice(0, earlierAtMost) });
  }
  return {
    catalog: catalog ?? index.catalog,
    models,
    notes: addNotes(index.notes, notes),
    made: addMade(index.made, made),
  };
}

function addMade(before: CacheIndex['made'], news: News['made']): CacheIndex['made'] {
  if (news === undefined || before.get(news.lock) === news.by) return before;
  return new Map([...before, [news.lock, news.by] as const].slice(-madeAtMost));
}

function addNotes(before: CacheIndex['notes'], news: News['notes']): Map<ModelId, Notes> {
  const all = new Map([...before, ...news]);
  return new Map([...all].filter(([, { diagnostics }]) => diagnostics.length > 0));
}
