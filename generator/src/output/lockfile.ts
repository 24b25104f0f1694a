import * as v from 'valibot';
import { isBrand, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { charges } from '../catalog/catalog-entry.ts';
import { parseModelId } from '../catalog/model-id.ts';
import { type Digest, isDigest, parseJsonObject, sortMembers } from '../content.ts';
import { GeneratorError, listFirst } from '../diagnostics.ts';
import type { LockedDocument } from '../documents/open-documents.ts';
import type { Files } from '../ports.ts';

/** Matches paths with an empty segment, a `..` segment or a backslash. */
const leavesFolder = /(?:^|\/)(?:\.\.)?(?:\/|$)|\\/;
const digest = v.custom<Digest>(isDigest);
// The lockfile decides which files may be overwritten or removed, so a path that leaves the folder is rejected.
const insidePath = v.custom<string>((path) => typeof path === 'string' && !leavesFolder.test(path));
const fileDigests = v.record(insidePath, digest);

const lockedModel = v.object({
  entityTag: v.nullable(v.string()),
  document: digest,
  // Comes from the catalog; all other facts about a model come from its document.
  chargesOnPolicyRejection: charges,
  files: fileDigests,
});
const lockedPackage = v.object({ files: fileDigests });

/** Records the inputs and files of the last run, to distinguish generated files from handwritten ones. */
const lockfile = v.object({
  format: v.literal(1),
  generator: v.string(),
  brand: v.optional(v.pipe(v.string(), v.check(isBrand))),
  // Settings that affected the output and differ from their defaults, by name.
  settings: v.optional(v.custom<JsonObject>((value) => isJsonObject(value as JsonValue))),
  packages: v.record(v.string(), lockedPackage),
  models: v.record(v.string(), lockedModel),
});

export type FileDigests = Readonly<v.InferOutput<typeof fileDigests>>;
export type LockedModel = Readonly<v.InferOutput<typeof lockedModel>>;
export type LockedPackage = Readonly<v.InferOutput<typeof lockedPackage>>;
export type Lockfile = Readonly<v.InferOutput<typeof lockfile>>;

export const lockName = 'switchyard.lock.json';
/** Name of the only entry in the lockfile of a site. No package has this name. */
export const sitePart = 'site';

/** Parses a lockfile. Returns `damaged` if it can't be read: no file is treated as generated then. */
export function parseLockfile(bytes: Uint8Array | undefined): Lockfile | 'damaged' | undefined {
  if (bytes === undefined) return undefined;
  const parsed = v.safeParse(lockfile, parseJsonObject(bytes));
  return parsed.success ? parsed.output : 'damaged';
}

/** Reads the lockfile of a folder. Throws GeneratorError if it is missing or damaged. */
export function requireLockfile(folder: string, files: Pick<Files, 'read'>): Lockfile {
  const lock = parseLockfile(files.read(`${folder}/${lockName}`, folder));
  if (lock !== undefined && lock !== 'damaged') return lock;
  const message = `${folder} has ${lock === undefined ? 'no' : 'a damaged'} ${lockName}`;
  throw new GeneratorError('output-missing', message, { operation: 'readLockfile' });
}

/** Reads the brand of the last run from the lockfile; undefined if the lockfile has none. */
export function readLockedBrand(outDir: string, files: Pick<Files, 'read'>): string | undefined {
  const lock = parseLockfile(files.read(`${outDir}/${lockName}`, outDir));
  return lock === 'damaged' ? undefined : lock?.brand;
}

export function printLockfile({ format, generator, brand, settings, packages, models }: Lockfile): string {
  const parts = { packages: sortMembers(Object.entries(packages)), models: sortMembers(Object.entries(models)) };
  return `${JSON.stringify({ format, generator, brand, settings, ...parts }, undefined, 2)}\n`;
}

/** Returns the digest of every file of the last run by path. */
export function indexLockedFiles(lock: Lockfile | undefined): Map<string, Digest> {
  const all = new Map<string, Digest>();
  if (lock === undefined) return all;
  for (const { files } of [...Object.values(lock.packages), ...Object.values(lock.models)])
    for (const path in files) all.set(path, files[path] as Digest);
  return all;
}

/** Returns the entry, entity tag and document digest of each model in a lockfile; undefined if there is no lockfile. */
export function listLockedDocuments(lock: Lockfile | undefined): LockedDocument[] | undefined {
  if (lock === undefined) return undefined;
  return Object.entries(lock.models).flatMap(([text, { entityTag, document, chargesOnPolicyRejection }]) => {
    const parsed = parseModelId(text);
    if (!('id' in parsed)) return [];
    const entry = { id: parsed.id, chargesOnPolicyRejection };
    return [{ entry, entityTag: entityTag ?? undefined, digest: document }];
  });
}

const maxListed = 5;

/** For frozen runs: throws GeneratorError with the paths that differ if the new output differs from the lockfile. */
export function refuseDifferences(newLock: Lockfile, locked: Lockfile | undefined): void {
  const [after, before] = [indexLockedFiles(newLock), indexLockedFiles(locked)];
  const paths = new Set([...after.keys(), ...before.keys()]);
  const differing = [...paths].filter((path) => after.get(path) !== before.get(path)).sort();
  if (differing.length === 0) return;
  const listed = listFirst(differing, maxListed).join(', ');
  const isOtherGenerator = locked !== undefined && locked.generator !== newLock.generator;
  throw new GeneratorError('lock-differs', `the output would differ from the lockfile: ${listed}`, {
    operation: 'planWrites',
    help: isOtherGenerator
      ? `The lockfile was written by switchyard ${locked.generator}, this is ${newLock.generator}. Use that version, or run without --frozen.`
      : 'The settings (package names, brand, overlays) may differ from those of the lockfile. Run without --frozen to accept the new output.',
  });
}

/**
 * Throws GeneratorError if the folder contains the other kind of output than `kind`, because this run would remove the
 * files of that output.
 */
export function refuseOtherOutput(folder: string, lock: Lockfile | undefined, kind: 'packages' | 'site'): void {
  const parts = [lock?.packages, lock?.models].flatMap((named = {}) => Object.keys(named));
  if (parts.every((name) => (name === sitePart) === (kind === 'site'))) return;
  const message = `${folder} contains ${kind === 'site' ? 'generated packages' : 'a site'}`;
  const help = 'Use different folders for packages and site: set --out.';
  throw new GeneratorError('output-unwritable', message, { operation: 'readOutput', help });
}
