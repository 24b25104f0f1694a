import { isBrand, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Charges, readCharges } from '../catalog/catalog-entry.ts';
import { parseModelId } from '../catalog/model-id.ts';
import { type Digest, isDigest, parseJsonObject, readMembers, sortMembers } from '../content.ts';
import { GeneratorError } from '../diagnostics.ts';
import type { LockedDocument } from '../documents/open-documents.ts';
import type { Files } from '../ports.ts';

export type FileDigests = Readonly<Record<string, Digest>>;
export type LockedModel = {
  readonly entityTag: string | null;
  readonly document: Digest;
  /** The one fact of the output that comes from the catalog and not from the document. */
  readonly chargesOnPolicyRejection: Charges;
  /** Over everything that the files are made from: document, tag, settings and the generator itself. */
  readonly inputs: Digest;
  readonly files: FileDigests;
};
export type LockedPackage = { readonly source: Digest; readonly files: FileDigests };

/** Inputs and files of the last generation; it distinguishes generated files from handwritten ones. */
export type Lockfile = {
  readonly format: 1;
  readonly generator: string;
  /** Undefined in a lockfile from before it was kept. */
  readonly brand?: string;
  /** Settings that shaped the output, by name, where they differ from their defaults. */
  readonly settings?: JsonObject;
  readonly packages: Readonly<Record<string, LockedPackage>>;
  readonly models: Readonly<Record<string, LockedModel>>;
};

export const lockName = 'switchyard.lock.json';
/** The one part of a site in its lockfile; packages have other names. */
export const sitePart = 'site';

/** Undefined when there is none; a broken one is `damaged`, and no file counts as ours then. */
export function parseLockfile(bytes: Uint8Array | undefined): Lockfile | 'damaged' | undefined {
  if (bytes === undefined) return undefined;
  const { format, generator, brand, settings, packages, models } = parseJsonObject(bytes) ?? {};
  if (format !== 1) return 'damaged';
  if (typeof generator !== 'string' || !isJsonObject(packages) || !isJsonObject(models)) return 'damaged';
  return {
    format: 1,
    generator,
    ...(typeof brand === 'string' && isBrand(brand) ? { brand } : {}),
    ...(isJsonObject(settings) ? { settings } : {}),
    packages: Object.fromEntries(readMembers(packages, readPackage)),
    models: Object.fromEntries(readMembers(models, readModel)),
  };
}

/** The lockfile of a folder. Throws GeneratorError where there is none, or a damaged one. */
export function requireLockfile(
  folder: string,
  files: Pick<Files, 'read'>,
  facts: { readonly operation: string; readonly missing: string; readonly damaged: string },
): Lockfile {
  const lock = parseLockfile(files.read(`${folder}/${lockName}`, folder));
  if (lock !== undefined && lock !== 'damaged') return lock;
  const [what, help] = lock === undefined ? ['holds no', facts.missing] : ['holds a damaged', facts.damaged];
  throw new GeneratorError('output-missing', `${folder} ${what} ${lockName}`, { operation: facts.operation, help });
}

const headWithBrand = /^\{\s*"format": 1,\s*"generator": "[^"]*",\s*"brand": "([^"]*)"/;

/** The brand of the last generation in a folder; undefined without a lockfile that says it in its head, where we print it. */
export function readLockedBrand(outDir: string, files: Pick<Files, 'read'>): string | undefined {
  const head = files.read(`${outDir}/${lockName}`, outDir)?.subarray(0, 500);
  const [, brand] = headWithBrand.exec(new TextDecoder().decode(head)) ?? [];
  return brand !== undefined && isBrand(brand) ? brand : undefined;
}

/** Every path that a lockfile lists; undefined if the bytes aren't a lockfile. */
export function listLockedPaths(bytes: Uint8Array): readonly string[] | undefined {
  const lock = parseLockfile(bytes);
  return lock === undefined || lock === 'damaged' ? undefined : [...lockedFiles(lock).keys()];
}

export function printLockfile({ format, generator, brand, settings, packages, models }: Lockfile): string {
  const parts = { packages: sortMembers(Object.entries(packages)), models: sortMembers(Object.entries(models)) };
  return `${JSON.stringify({ format, generator, brand, settings, ...parts }, undefined, 2)}\n`;
}

/** Every file of the last generation with its digest. */
export function lockedFiles(lock: Lockfile | undefined): Map<string, Digest> {
  const all = new Map<string, Digest>();
  if (lock === undefined) return all;
  for (const { files } of [...Object.values(lock.packages), ...Object.values(lock.models)])
    for (const path in files) all.set(path, files[path] as Digest);
  return all;
}

/** The models of a lockfile, each with the document that its files were made from; undefined without a lockfile. */
export function lockedDocuments(lock: Lockfile | undefined): LockedDocument[] | undefined {
  if (lock === undefined) return undefined;
  return Object.entries(lock.models).flatMap(([text, { entityTag, document, chargesOnPolicyRejection }]) => {
    const parsed = parseModelId(text);
    if (!('id' in parsed)) return [];
    const entry = { id: parsed.id, chargesOnPolicyRejection };
    return [{ entry, entityTag: entityTag ?? undefined, digest: document }];
  });
}

const namedAtMost = 5;

/** A frozen generation makes the very bytes that the lockfile names, or throws GeneratorError with the paths that differ. */
export function refuseDifferences(made: Lockfile, locked: Lockfile | undefined): void {
  const [after, before] = [lockedFiles(made), lockedFiles(locked)];
  const paths = new Set([...after.keys(), ...before.keys()]);
  const differing = [...paths].filter((path) => after.get(path) !== before.get(path)).sort();
  if (differing.length === 0) return;
  const named = differing.slice(0, namedAtMost).join(', ');
  const more = differing.length > namedAtMost ? ` and ${differing.length - namedAtMost} more` : '';
  const isOtherGenerator = locked !== undefined && locked.generator !== made.generator;
  throw new GeneratorError('lock-differs', `the output would not be what the lockfile says: ${named}${more}`, {
    operation: 'planWrites',
    help: isOtherGenerator
      ? `The lockfile was written by switchyard ${locked.generator}, this is ${made.generator}. Use that version, or run without --frozen.`
      : 'The settings (package names, brand, overlays) may differ from those of the lockfile. Run without --frozen to take the output over.',
  });
}

/**
 * Refuses a folder that holds the other kind of output, packages or a site: a generation would take its files for its own and remove
 * them.
 */
export function refuseOtherOutput(folder: string, lock: Lockfile | undefined, kind: 'packages' | 'site'): void {
  const parts = [lock?.packages, lock?.models].flatMap((named = {}) => Object.keys(named));
  if (parts.every((name) => (name === sitePart) === (kind === 'site'))) return;
  const message = `${folder} holds ${kind === 'site' ? 'generated packages' : 'a site'}`;
  const help = 'Give packages and site a folder each, with --out.';
  throw new GeneratorError('output-unwritable', message, { operation: 'readOutput', help });
}

function readPackage({ source, files }: JsonObject): LockedPackage | undefined {
  return isDigest(source) ? { source, files: readFiles(files) } : undefined;
}

function readModel({
  entityTag,
  document,
  inputs,
  chargesOnPolicyRejection,
  files,
}: JsonObject): LockedModel | undefined {
  if (!isDigest(document)) return undefined;
  return {
    entityTag: typeof entityTag === 'string' ? entityTag : null,
    document,
    chargesOnPolicyRejection: readCharges(chargesOnPolicyRejection),
    // An older lockfile has none; its files are ours all the same.
    inputs: isDigest(inputs) ? inputs : document,
    files: readFiles(files),
  };
}

/** An empty or upward segment, or the separator of another system. */
const leavesFolder = /(?:^|\/)(?:\.\.)?(?:\/|$)|\\/;

// A lockfile is read to decide what may be overwritten and removed, so a path that leaves the folder is ignored. No
// record is copied: that would cost a generation without changes a tenth of its time.
function readFiles(value: JsonValue | undefined): FileDigests {
  if (!isJsonObject(value)) return {};
  for (const path in value) if (!isDigest(value[path]) || leavesFolder.test(path)) delete value[path];
  return value as FileDigests; // all that is left was checked
}
