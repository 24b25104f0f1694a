import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type CatalogEntry, parseCatalogEntry } from '../catalog/catalog-entry.ts';
import { type Digest, isDigest, parseJsonObject } from '../content.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { DocumentFacts } from './schema-snapshot.ts';

/** Without an entity tag a document cannot be requested conditionally. */
export type CachedModel = DocumentFacts & {
  /** Digests that the document had before, newest first. */
  readonly earlier: readonly Digest[];
};
/** What was reported about a model when its files were made from these inputs. */
export type ReportedModel = { readonly inputs: Digest; readonly diagnostics: readonly Diagnostic[] };
export type KnownOutput = {
  /** Of the generator that made it, and of its settings. */
  readonly code: Digest;
  /** Of its files, when a generation found them all intact. */
  readonly fingerprint: Digest | undefined;
};
export type CacheIndex = {
  readonly catalog: readonly CatalogEntry[] | undefined;
  /** By model id, like `reported`. */
  readonly models: ReadonlyMap<string, CachedModel>;
  readonly reported: ReadonlyMap<string, ReportedModel>;
  /** By the digest of the lockfile; newest last. */
  readonly outputs: ReadonlyMap<string, KnownOutput>;
};

const format = 2;

/** Entries that cannot be read count as absent. */
export function parseCacheIndex(bytes: Uint8Array | undefined): CacheIndex {
  const found = parseJsonObject(bytes) ?? {};
  const value = found['format'] === format ? found : {};
  return {
    catalog: readCatalogEntries(value['catalog']),
    models: readMap(value['models'], readModel),
    reported: readMap(value['reported'], readReported),
    outputs: readMap(value['outputs'], readOutput),
  };
}

export function printCacheIndex({ catalog, models, reported, outputs }: CacheIndex): string {
  const entries = (catalog ?? []).map(({ id, chargesOnPolicyRejection }) => ({
    id,
    billing: { charges_on_policy_rejection: chargesOnPolicyRejection },
  }));
  const index = {
    format,
    ...(catalog === undefined ? {} : { catalog: entries }),
    models: sortById(models),
    reported: sortById(reported),
    outputs: Object.fromEntries(outputs),
  };
  return `${JSON.stringify(index)}\n`;
}

function readMap<T>(entries: JsonValue | undefined, read: (entry: JsonObject) => T | undefined): Map<string, T> {
  const found = new Map<string, T>();
  if (!isJsonObject(entries)) return found;
  for (const name in entries) {
    const entry = entries[name];
    const result = isJsonObject(entry) ? read(entry) : undefined;
    if (result !== undefined) found.set(name, result);
  }
  return found;
}

function readCatalogEntries(value: JsonValue | undefined): CatalogEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => {
    const parsed = parseCatalogEntry(entry, 'cached');
    return 'entry' in parsed ? [parsed.entry] : [];
  });
}

function readModel({ entityTag, digest, earlier }: JsonObject): CachedModel | undefined {
  if (!isDigest(digest)) return undefined;
  const facts = { entityTag: typeof entityTag === 'string' ? entityTag : undefined, digest };
  return { ...facts, earlier: Array.isArray(earlier) ? earlier.filter(isDigest) : [] };
}

function readReported({ inputs, diagnostics }: JsonObject): ReportedModel | undefined {
  if (!isDigest(inputs) || !Array.isArray(diagnostics)) return undefined;
  return { inputs, diagnostics: diagnostics.filter((one) => isDiagnostic(one)) };
}

function readOutput({ code, fingerprint }: JsonObject): KnownOutput | undefined {
  return isDigest(code) ? { code, fingerprint: isDigest(fingerprint) ? fingerprint : undefined } : undefined;
}

function isDiagnostic(value: unknown): value is Diagnostic {
  if (!isJsonObject(value)) return false;
  const { severity, code, model, pointer, message, help } = value;
  return (
    ['error', 'warning', 'note'].some((one) => one === severity) &&
    [code, message].every((text) => typeof text === 'string') &&
    [model, pointer, help].every((text) => text === undefined || typeof text === 'string')
  );
}

function sortById<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
