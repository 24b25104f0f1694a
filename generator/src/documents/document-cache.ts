import * as v from 'valibot';
import { charges } from '../catalog/catalog-entry.ts';
import { type ModelId, parseModelId } from '../catalog/model-id.ts';
import type { Credential } from '../catalog/router-client.ts';
import { type Digest, isDigest, parseJsonObject, sortMembers, toDigest } from '../content.ts';
import { diagnosticTexts } from '../diagnostic-texts.ts';
import { type Diagnostic, type DiagnosticCode, explainCause, severities } from '../diagnostics.ts';
import type { Files, Progress } from '../ports.ts';

const digest = v.custom<Digest>(isDigest);
const text = v.exactOptional(v.string());
const diagnostic = v.object({
  severity: v.picklist(severities),
  code: v.custom<DiagnosticCode>((code) => typeof code === 'string' && Object.hasOwn(diagnosticTexts, code)),
  model: text,
  pointer: text,
  message: v.string(),
});
const listOf = <const Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.readonly());
function mapOf<const Member extends v.GenericSchema>(member: Member) {
  return v.pipe(
    v.record(v.string(), member),
    v.transform((members): ReadonlyMap<string, v.InferOutput<Member>> => new Map(Object.entries(members))),
  );
}

const cacheIndex = v.object({
  format: v.literal(4),
  catalog: v.optional(
    listOf(
      v.object({
        id: v.custom<ModelId>((id) => typeof id === 'string' && 'id' in parseModelId(id)),
        chargesOnPolicyRejection: charges,
      }),
    ),
  ),
  // The most recent document of each model, by model id, with the digests of earlier versions, newest first. A document
  // without an entity tag can't be requested conditionally.
  models: mapOf(v.object({ entityTag: v.optional(v.string()), digest, earlier: listOf(digest) })),
  // Diagnostics by model id, from the run that generated the model's files from this document.
  reported: mapOf(v.object({ document: digest, diagnostics: listOf(diagnostic) })),
  // Digests of the generator and settings that made earlier outputs, by the digest of their lockfile; newest last.
  outputs: mapOf(digest),
});
export type CacheIndex = Readonly<v.InferOutput<typeof cacheIndex>>;
export type ReportedModel = { readonly document: Digest; readonly diagnostics: readonly Diagnostic[] };

/** Parses the index. A damaged one counts as empty, like a cache that was lost. */
function parseCacheIndex(bytes: Uint8Array | undefined): CacheIndex {
  const parsed = v.safeParse(cacheIndex, parseJsonObject(bytes));
  if (parsed.success) return parsed.output;
  return { format: 4, catalog: undefined, models: new Map(), reported: new Map(), outputs: new Map() };
}

function printCacheIndex({ models, reported, outputs, ...index }: CacheIndex): string {
  const members = {
    models: sortMembers(models),
    reported: sortMembers(reported),
    outputs: Object.fromEntries(outputs),
  };
  return `${JSON.stringify({ ...index, ...members })}\n`;
}

export type DocumentFacts = {
  /** Includes the quotes. Undefined if the source sent no entity tag. */
  readonly entityTag?: string | undefined;
  readonly digest: Digest;
};

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
  { readOnly, fromAnyOwner, onProgress }: { readOnly: boolean; fromAnyOwner?: boolean; onProgress?: Progress },
): DocumentCache {
  const folder = locateCacheFolder(place);
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
          { onProgress, below: place.cacheDir },
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
function locateCacheFolder({ cacheDir, routerUrl, credential, headers, certificate }: CacheLocation): string {
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
    ...index,
    catalog: results.catalog ?? index.catalog,
    models,
    reported: new Map(reported.filter(([, { diagnostics }]) => diagnostics.length > 0)),
    outputs: new Map([...outputs].slice(-maxOutputs)),
  };
}
