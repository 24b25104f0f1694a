import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type CatalogEntry, parseCatalogEntry } from '../catalog/catalog-entry.ts';
import { type ModelId, parseModelId } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { type Digest, isDigest } from '../digest.ts';
import { parseJsonBody } from '../source/json-body.ts';

export type Known = {
  /** Undefined when the source sent none; such a document cannot be asked for conditionally. */
  readonly entityTag: string | undefined;
  readonly digest: Digest;
  /** Digests that the document had before, newest first. */
  readonly earlier: readonly Digest[];
};
export type Notes = { readonly inputs: Digest; readonly diagnostics: readonly Diagnostic[] };
export type CacheIndex = {
  readonly catalog: readonly CatalogEntry[] | undefined;
  readonly models: ReadonlyMap<ModelId, Known>;
  readonly notes: ReadonlyMap<ModelId, Notes>;
  /** By the digest of a lockfile, the code that made what it describes; newest last. */
  readonly made: ReadonlyMap<Digest, Digest>;
};

/** Entries that cannot be read count as absent. */
export function parseCacheIndex(bytes: Uint8Array | undefined): CacheIndex {
  const body = bytes === undefined ? undefined : parseJsonBody(bytes, undefined);
  const value = body?.kind === 'json' && isJsonObject(body.value) && body.value['format'] === 2 ? body.value : {};
  return {
    catalog: readCatalogEntries(value['catalog']),
    models: readById(value['models'], readKnown),
    notes: readById(value['notes'], readNotes),
    made: readMade(value['made']),
  };
}

export function printCacheIndex({ catalog, models, notes, made }: CacheIndex): string {
  const entries = (catalog ?? []).map(({ id, chargesOnPolicyRejection }) => ({
    id,
    billing: { charges_on_policy_rejection: chargesOnPolicyRejection },
  }));
  const index = {
    format: 2,
    ...(catalog === undefined ? {} : { catalog: entries }),
    models: sortById(models),
    notes: sortById(notes),
    made: [...made],
  };
  return `${JSON.stringify(index)}\n`;
}

function readCatalogEntries(value: JsonValue | undefined): CatalogEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((entry) => {
    const parsed = parseCatalogEntry(entry, 'cached');
    return 'entry' in parsed ? [parsed.entry] : [];
  });
}

function readById<T>(value: JsonValue | undefined, read: (entry: JsonObject) => T | undefined): Map<ModelId, T> {
  const found = new Map<ModelId, T>();
  for (const [text, entry] of isJsonObject(value) ? Object.entries(value) : []) {
    const parsed = parseModelId(text);
    const result = isJsonObject(entry) ? read(entry) : undefined;
    if ('id' in parsed && result !== undefined) found.set(parsed.id, result);
  }
  return found;
}

function readKnown({ entityTag, digest, earlier }: JsonObject): Known | undefined {
  if (!isDigest(digest)) return undefined;
  return {
    entityTag: typeof entityTag === 'string' ? entityTag : undefined,
    digest,
    earlier: Array.isArray(earlier) ? earlier.filter(isDigest) : [],
  };
}

function readMade(value: JsonValue | undefined): Map<Digest, Digest> {
  const pairs = Array.isArray(value) ? value : [];
  return new Map(
    pairs.flatMap((pair): [Digest, Digest][] => {
      const [lock, by] = Array.isArray(pair) ? pair : [];
      return isDigest(lock) && isDigest(by) ? [[lock, by]] : [];
    }),
  );
}

function readNotes({ inputs, diagnostics }: JsonObject): Notes | undefined {
  if (!isDigest(inputs) || !Array.isArray(diagnostics)) return undefined;
  return { inputs, diagnostics: diagnostics.flatMap(readDiagnostic) };
}

const severities = ['error', 'warning', 'note'] as const;

function readDiagnostic(value: JsonValue): Diagnostic[] {
  if (!isJsonObject(value)) return [];
  const { severity: word, code, model, pointer, message, help } = value;
  const severity = severities.find((one) => one === word);
  if (severity === undefined || typeof code !== 'string' || typeof message !== 'string') return [];
  return [
    {
      severity,
      code,
      message,
      ...(typeof model === 'string' ? { model } : {}),
      ...(typeof pointer === 'string' ? { pointer } : {}),
      ...(typeof help === 'string' ? { help } : {}),
    },
  ];
}

function sortById<T>(entries: ReadonlyMap<ModelId, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
