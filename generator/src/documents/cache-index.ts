import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type CatalogEntry, parseCatalogEntry } from '../catalog/catalog-entry.ts';
import { type ModelId, parseModelId } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { type Digest, isDigest } from '../digest.ts';
import { parseJsonBody } from '../json-body.ts';
import type { DocumentFacts } from './schema-snapshot.ts';

/** Without an entity tag a document cannot be requested conditionally. */
export type CachedModel = DocumentFacts & {
  /** Digests that the document had before, newest first. */
  readonly earlier: readonly Digest[];
};
/** What was reported about a model when its files were made from these inputs. */
export type ReportedModel = { readonly inputs: Digest; readonly diagnostics: readonly Diagnostic[] };
export type KnownOutput = {
  /** Of the generator that made it. */
  readonly code: Digest;
  /** Of its files, when a run found them all intact. */
  readonly fingerprint: Digest | undefined;
};
export type CacheIndex = {
  readonly catalog: readonly CatalogEntry[] | undefined;
  readonly models: ReadonlyMap<ModelId, CachedModel>;
  readonly reported: ReadonlyMap<ModelId, ReportedModel>;
  /** By the digest of the lockfile; newest last. */
  readonly outputs: ReadonlyMap<Digest, KnownOutput>;
};

const format = 2;

/** Entries that cannot be read count as absent. */
export function parseCacheIndex(bytes: Uint8Array | undefined): CacheIndex {
  const body = bytes === undefined ? undefined : parseJsonBody(bytes, undefined);
  const value = body?.kind === 'json' && isJsonObject(body.value) && body.value['format'] === format ? body.value : {};
  return {
    catalog: readCatalogEntries(value['catalog']),
    models: new Map(entriesOf(value['models']).flatMap(readModel)),
    reported: new Map(entriesOf(value['reported']).flatMap(readReported)),
    outputs: new Map(entriesOf(value['outputs']).flatMap(readOutput)),
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

function entriesOf(value: JsonValue | undefined): [name: string, entry: JsonObject][] {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([name, entry]): [string, JsonObject][] => (isJsonObject(entry) ? [[name, entry]] : []));
}

function readCatalogEntries(value: JsonValue | undefined): CatalogEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => {
    const parsed = parseCatalogEntry(entry, 'cached');
    return 'entry' in parsed ? [parsed.entry] : [];
  });
}

function readModel([name, { entityTag, digest, earlier }]: [string, JsonObject]): [ModelId, CachedModel][] {
  const parsed = parseModelId(name);
  if (!('id' in parsed) || !isDigest(digest)) return [];
  const facts = { entityTag: typeof entityTag === 'string' ? entityTag : undefined, digest };
  return [[parsed.id, { ...facts, earlier: Array.isArray(earlier) ? earlier.filter(isDigest) : [] }]];
}

function readReported([name, { inputs, diagnostics }]: [string, JsonObject]): [ModelId, ReportedModel][] {
  const parsed = parseModelId(name);
  if (!('id' in parsed) || !isDigest(inputs) || !Array.isArray(diagnostics)) return [];
  return [[parsed.id, { inputs, diagnostics: diagnostics.filter((one) => isDiagnostic(one)) }]];
}

function readOutput([lock, { code, fingerprint }]: [string, JsonObject]): [Digest, KnownOutput][] {
  if (!isDigest(lock) || !isDigest(code)) return [];
  return [[lock, { code, fingerprint: isDigest(fingerprint) ? fingerprint : undefined }]];
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

function sortById<T>(entries: ReadonlyMap<ModelId, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
