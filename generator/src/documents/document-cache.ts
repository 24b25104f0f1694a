import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type CatalogEntry, parseCatalogEntry } from '../catalog/catalog-entry.ts';
import type { ModelId } from '../catalog/model-id.ts';
import type { Credential } from '../catalog/router-client.ts';
import { type Digest, isDigest, parseJsonObject, readMembers, sortMembers, toDigest } from '../content.ts';
import { type Diagnostic, explainCause, severities } from '../diagnostics.ts';
import type { Files, Progress } from '../ports.ts';
import type { DocumentFacts } from './fetch-documents.ts';

/** A model's document in the cache. A document without an entity tag can't be requested conditionally. */
type CachedModel = DocumentFacts & {
  /** Digests of earlier versions of the document, newest first. */
  readonly earlier: readonly Digest[];
};
/** The diagnostics of a model, from the run that generated its files from these inputs. */
export type ReportedModel = { readonly inputs: Digest; readonly diagnostics: readonly Diagnostic[] };
export type CacheIndex = {
  readonly catalog: readonly CatalogEntry[] | undefined;
  /** The most recent document of each model, by model id. */
  readonly models: ReadonlyMap<string, CachedModel>;
  /** Diagnostics by model id. */
  readonly reported: ReadonlyMap<string, ReportedModel>;
  /** Digests of the generator and settings that made earlier outputs, by the digest of their lockfile; newest last. */
  readonly outputs: ReadonlyMap<string, Digest>;
};

const format = 2;

/** Parses the index; skips entries that can't be read. */
function parseCacheIndex(bytes: Uint8Array | undefined): CacheIndex {
  const found = parseJsonObject(bytes) ?? {};
  const { catalog, models, reported, outputs } = found['format'] === format ? found : {};
  return {
    catalog: Array.isArray(catalog) ? catalog.flatMap(readCatalogEntry) : undefined,
    models: readMembers(models, ({ entityTag, digest, earlier }) => {
      if (!isDigest(digest)) return undefined;
      const tag = typeof entityTag === 'string' ? entityTag : undefined;
      return { entityTag: tag, digest, earlier: Array.isArray(earlier) ? earlier.filter(isDigest) : [] };
    }),
    reported: readMembers(reported, ({ inputs, diagnostics }) => {
      if (!isDigest(inputs) || !Array.isArray(diagnostics)) return undefined;
      return { inputs, diagnostics: diagnostics.filter((one) => isDiagnostic(one)) };
    }),
    outputs: readMembers(outputs, ({ code }) => (isDigest(code) ? code : undefined)),
  };
}

function printCacheIndex({ catalog, models, reported, outputs }: CacheIndex): string {
  const index = {
    format,
    catalog: catalog?.map(({ id, chargesOnPolicyRejection: charges }) => ({
      id,
      billing: { charges_on_policy_rejection: charges },
    })),
    models: sortMembers(models),
    reported: sortMembers(reported),
    outputs: Object.fromEntries([...outputs].map(([lock, code]) => [lock, { code }])),
  };
  return `${JSON.stringify(index)}\n`;
}

function readCatalogEntry(value: JsonValue): CatalogEntry[] {
  const parsed = parseCatalogEntry(value, 'cached');
  return 'entry' in parsed ? [parsed.entry] : [];
}

function isDiagnostic(value: unknown): value is Diagnostic {
  if (!isJsonObject(value)) return false;
  const { severity, code, model, pointer, message, help } = value;
  return (
    severities.some((one) => one === severity) &&
    [code, message].every((text) => typeof text === 'string') &&
    [model, pointer, help].every((text) => text === undefined || typeof text === 'string')
  );
}

/** Data that a run stores in the cache in addition to documents. */
type RunResults = Pick<CacheIndex, 'catalog' | 'reported'> & {
  /** Digest of the new lockfile, and digest of the generator and settings that made the output. */
  readonly output: readonly [lock: Digest, code: Digest] | undefined;
};

/** The cached documents of one router and credential, and data of earlier runs. */
export type DocumentCache = CacheIndex & {
  /** Returns a document by its digest, including earlier versions. */
  load(digest: Digest): Uint8Array | undefined;
  add(id: ModelId, facts: DocumentFacts, bytes: Uint8Array): void;
  /** Saves the index if it changed, and keeps entries that other processes added. Returns a warning if this fails. */
  save(results: RunResults): Promise<readonly Diagnostic[]>;
};

type CacheLocation = {
  readonly cacheDir: string;
  readonly routerUrl: string;
  readonly credential: Credential | undefined;
  /** Headers for a gateway in front of the router, which may identify the caller by them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client certificate, by which a gateway may identify the caller. */
  readonly certificate?: string | undefined;
};

/** Number of earlier documents kept for each model, because recent lockfiles may still list them. */
const maxEarlier = 4;
const maxOutputs = 20;

/**
 * Opens the cached documents of one router and credential. Damaged entries are treated as missing. `readOnly`: `add`
 * stores nothing. `fromAnyOwner`: `load` also returns documents that were cached with other credentials; for runs without
 * a credential that only need the documents listed in the lockfile.
 */
export function openDocumentCache(
  place: CacheLocation,
  files: Files,
  { readOnly, fromAnyOwner, say }: { readOnly: boolean; fromAnyOwner?: boolean; say?: Progress },
): DocumentCache {
  const folder = nameFolder(place);
  const locateObject = (digest: Digest, owner = folder): string =>
    `${owner}/objects/${digest.slice('sha256:'.length)}.json`;
  const indexPath = `${folder}/index.json`;
  const added = new Map<ModelId, DocumentFacts>();
  let failure: unknown;
  const read = (path: string): Uint8Array | undefined => {
    try {
      return files.read(path, place.cacheDir);
    } catch (error) {
      failure = error;
      return undefined;
    }
  };
  const present = read(indexPath);
  const index = parseCacheIndex(present);
  return {
    ...index,
    load(digest) {
      const top = `${place.cacheDir}/v2`;
      const others = fromAnyOwner ? files.listFolders(top, place.cacheDir).map((name) => `${top}/${name}`) : [];
      for (const owner of [folder, ...others]) {
        const bytes = read(locateObject(digest, owner));
        if (bytes !== undefined && toDigest(bytes) === digest) return bytes;
      }
      return undefined;
    },
    add(id, facts, bytes) {
      if (readOnly || failure !== undefined) return;
      added.set(id, facts);
      try {
        // No index refers to the file yet, so a partly written file does no harm.
        if (index.models.get(id)?.digest !== facts.digest)
          files.store(locateObject(facts.digest), bytes, place.cacheDir);
      } catch (error) {
        failure = error;
      }
    },
    async save(results) {
      try {
        if (failure !== undefined) throw failure;
        if (printCacheIndex(addTo(index, added, results)) === new TextDecoder().decode(present)) return [];
        // Documents are private, so git must ignore them. The ignore file is in the cache's own folder, because the parent
        // folder may belong to the user. A killed run may have left the file empty.
        const ignorePath = `${place.cacheDir}/v2/.gitignore`;
        if (!files.read(ignorePath, place.cacheDir)?.length)
          files.store(ignorePath, new TextEncoder().encode('*\n'), place.cacheDir);
        let dropped: readonly Digest[] = [];
        await files.update(
          indexPath,
          (bytes) => {
            const before = parseCacheIndex(bytes);
            const after = addTo(before, added, results);
            const remaining = digestsIn(after);
            dropped = [...digestsIn(before)].filter((digest) => !remaining.has(digest));
            return printCacheIndex(after);
          },
          { say, below: place.cacheDir },
        );
        for (const digest of dropped) files.remove(locateObject(digest));
        return [];
      } catch (error) {
        const message = `the document cache could not be used: ${explainCause(error)}`;
        return [{ severity: 'warning', code: 'cache-unwritable', message }];
      }
    },
  };
}

// Documents are private to the credential that read them, so each router and credential has its own folder (MR-SCH-11).
// The gateway headers and the certificate are included, because a gateway may use them to distinguish callers that share
// a credential.
function nameFolder({ cacheDir, routerUrl, credential, headers, certificate }: CacheLocation): string {
  const url = URL.parse(routerUrl);
  const address = url === null ? routerUrl : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const gateway = Object.entries(headers).sort();
  const isPlain = gateway.length === 0 && certificate === undefined;
  const callerKey = isPlain ? '' : JSON.stringify([gateway, certificate]);
  const owner = credential === undefined ? 'none' : toDigest(`${credential.kind} ${credential.value}${callerKey}`);
  return `${cacheDir}/v2/${toDigest(`${address}\n${owner}`).slice('sha256:'.length, 40)}`;
}

function digestsIn({ models }: CacheIndex): Set<Digest> {
  return new Set([...models.values()].flatMap(({ digest, earlier }) => [digest, ...earlier]));
}

/** Returns the index with added documents, which become the most recent ones of their models, and the results of a run. */
function addTo(index: CacheIndex, added: ReadonlyMap<ModelId, DocumentFacts>, results: RunResults): CacheIndex {
  const models = new Map(index.models);
  for (const [id, { entityTag, digest }] of added) {
    const last = models.get(id);
    const earlier = last === undefined ? [] : [last.digest, ...last.earlier].filter((other) => other !== digest);
    models.set(id, { entityTag, digest, earlier: [...new Set(earlier)].slice(0, maxEarlier) });
  }
  // Diagnostics of the new documents replace those of earlier ones. Models without diagnostics are omitted below.
  const reported = [...new Map([...index.reported, ...results.reported])];
  const outputs = new Map(index.outputs);
  if (results.output !== undefined) {
    const [lock, code] = results.output;
    if (outputs.get(lock) !== code) outputs.delete(lock); // The newest output is the last one.
    outputs.set(lock, code);
  }
  return {
    catalog: results.catalog ?? index.catalog,
    models,
    reported: new Map(reported.filter(([, { diagnostics }]) => diagnostics.length > 0)),
    outputs: new Map([...outputs].slice(-maxOutputs)),
  };
}
