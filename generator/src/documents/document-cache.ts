import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { ModelId } from '../catalog/model-id.ts';
import type { Credential } from '../catalog/router-client.ts';
import { type Digest, toDigest } from '../content.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Files } from '../ports.ts';
import {
  type CachedModel,
  type CacheIndex,
  type KnownOutput,
  parseCacheIndex,
  printCacheIndex,
} from './cache-index.ts';
import type { DocumentFacts } from './schema-snapshot.ts';

/** What a generation adds to the cache beside documents. */
export type CacheNews = {
  /** Every entry, when the generation has read the whole catalog. */
  readonly catalog: readonly CatalogEntry[] | undefined;
  /** What was reported about the models that this generation printed. */
  readonly reported: CacheIndex['reported'];
  /** The output, by the digest of its lockfile. */
  readonly output: readonly [lock: Digest, output: KnownOutput] | undefined;
};

/** Documents of one router as one credential sees them. What is damaged counts as absent. */
export type DocumentCache = Pick<CacheIndex, 'catalog' | 'reported' | 'outputs'> & {
  /** The document seen last. */
  find(id: ModelId): CachedModel | undefined;
  /** A document by its digest, also one that has been replaced since. */
  load(digest: Digest): Uint8Array | undefined;
  add(id: ModelId, facts: DocumentFacts, bytes: Uint8Array): void;
  /** Writes nothing when nothing is new. What other generations have added meanwhile stays. A failure is a warning. */
  save(news: CacheNews): Promise<readonly Diagnostic[]>;
};

type CacheLocation = {
  readonly cacheDir: string;
  readonly routerUrl: string;
  readonly credential: Credential | undefined;
};

/** Earlier documents of one model: those a lockfile of the last weeks may still name. */
const earlierAtMost = 4;
const outputsAtMost = 20;

/** `readOnly` for generations that write nothing. */
export function openDocumentCache(
  place: CacheLocation,
  files: Files,
  { readOnly }: { readOnly: boolean },
): DocumentCache {
  const folder = nameFolder(place);
  const locateObject = (digest: Digest): string => `${folder}/objects/${digest.slice('sha256:'.length)}.json`;
  const indexPath = `${folder}/index.json`;
  const index = parseCacheIndex(files.read(indexPath));
  const parts = new Map<string, unknown>(Object.entries(index));
  const added = new Map<ModelId, DocumentFacts>();
  let failure: unknown;
  return {
    ...{ catalog: index.catalog, reported: index.reported, outputs: index.outputs },
    find: (id) => index.models.get(id),
    load(digest) {
      const bytes = files.read(locateObject(digest));
      return bytes !== undefined && toDigest(bytes) === digest ? bytes : undefined;
    },
    add(id, facts, bytes) {
      if (readOnly || failure !== undefined) return;
      added.set(id, facts);
      try {
        // Named by its digest and named in no index yet: it may be written straight to its place.
        if (index.models.get(id)?.digest !== facts.digest) files.store(locateObject(facts.digest), bytes);
      } catch (error) {
        failure = error;
      }
    },
    async save(news) {
      try {
        if (failure !== undefined) throw failure;
        if (Object.entries(addTo(index, added, news)).every(([name, part]) => part === parts.get(name))) return [];
        keepFromGit(place.cacheDir, files);
        let unnamed: readonly Digest[] = [];
        await files.update(indexPath, (bytes) => {
          const before = parseCacheIndex(bytes);
          const after = addTo(before, added, news);
          const named = digestsIn(after);
          unnamed = [...digestsIn(before)].filter((digest) => !named.has(digest));
          return printCacheIndex(after);
        });
        for (const digest of unnamed) files.remove(locateObject(digest));
        return [];
      } catch (error) {
        return [unwritable(error)];
      }
    },
  };
}

// Documents are private to the credential that read them, so each router and credential has its own folder (MR-SCH-11).
function nameFolder({ cacheDir, routerUrl, credential }: CacheLocation): string {
  const url = URL.parse(routerUrl);
  const address = url === null ? routerUrl : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const owner = credential === undefined ? 'none' : toDigest(`${credential.kind} ${credential.value}`);
  return `${cacheDir}/v2/${toDigest(`${address}\n${owner}`).slice('sha256:'.length, 40)}`;
}

// Documents are private to their readers. The folder above may be one of the user's.
function keepFromGit(cacheDir: string, files: Files): void {
  const path = `${cacheDir}/v2/.gitignore`;
  // A generation that was killed may have left it empty.
  if (!files.read(path)?.length) files.store(path, new TextEncoder().encode('*\n'));
}

function digestsIn({ models }: CacheIndex): Set<Digest> {
  return new Set([...models.values()].flatMap(({ digest, earlier }) => [digest, ...earlier]));
}

/** Parts to which nothing is added stay the same objects. */
function addTo(index: CacheIndex, added: ReadonlyMap<ModelId, DocumentFacts>, news: CacheNews): CacheIndex {
  const isListed = news.catalog === undefined || JSON.stringify(news.catalog) === JSON.stringify(index.catalog);
  return {
    catalog: isListed ? index.catalog : news.catalog,
    models: added.size === 0 ? index.models : addDocuments(index.models, added),
    reported: news.reported.size === 0 ? index.reported : addReported(index.reported, news.reported),
    outputs: addOutput(index.outputs, news.output),
  };
}

function addDocuments(before: CacheIndex['models'], added: ReadonlyMap<ModelId, DocumentFacts>): CacheIndex['models'] {
  const models = new Map(before);
  for (const [id, { entityTag, digest }] of added) {
    const known = models.get(id);
    const earlier = known === undefined ? [] : [known.digest, ...known.earlier].filter((other) => other !== digest);
    models.set(id, { entityTag, digest, earlier: [...new Set(earlier)].slice(0, earlierAtMost) });
  }
  return models;
}

// Most models have none, and those of an earlier document go with it.
function addReported(before: CacheIndex['reported'], news: CacheIndex['reported']): CacheIndex['reported'] {
  const all = new Map([...before, ...news]);
  return new Map([...all].filter(([, { diagnostics }]) => diagnostics.length > 0));
}

function addOutput(outputs: CacheIndex['outputs'], news: CacheNews['output']): CacheIndex['outputs'] {
  if (news === undefined) return outputs;
  const [lock, { code, fingerprint }] = news;
  const before = outputs.get(lock);
  if (before?.code === code && before.fingerprint === fingerprint) return outputs;
  return new Map([...[...outputs].filter(([other]) => other !== lock), news].slice(-outputsAtMost));
}

function unwritable(error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    severity: 'warning',
    code: 'cache-unwritable',
    message: `the document cache could not be written: ${reason}`,
  };
}
