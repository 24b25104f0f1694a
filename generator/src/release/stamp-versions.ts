import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { parseJsonObject } from '../content.ts';
import { diffOutputs } from '../diff/diff-outputs.ts';
import { type Arrangement, printManifest } from '../emit/emitted-file.ts';
import type { Output } from '../output/output-folder.ts';
import { type OutputTree, outputTreeFrom } from '../output/output-tree.ts';
import type { Write, WritePlan } from '../output/plan-writes.ts';
import { writeEntry } from './changelog.ts';

/**
 * The version of the manifests: the current one, a given one, or one that is raised according to the changes since the
 * last release. `raised` keeps the current version if there is no release.
 */
export type VersionSetting =
  | { readonly kind: 'kept' }
  | { readonly kind: 'fixed'; readonly version: string }
  | { readonly kind: 'raised'; readonly base: OutputTree | undefined };

/** Version of a new package. */
const firstVersion = '0.1.0';
const folders = ['model-router', 'workflow-execution', 'models'];

type Stamping = {
  readonly output: Output;
  readonly version: VersionSetting;
  readonly arrangement: Arrangement;
};

/**
 * Sets the versions in the manifests of a new output and plans the writes. Packages with a raised version get a section in their
 * CHANGELOG.md. The lockfile doesn't list that file, because users may edit it.
 */
export function stampVersions(plan: WritePlan, { output, version, arrangement }: Stamping): WritePlan {
  const base = version.kind === 'raised' ? version.base : undefined;
  const compared = base === undefined ? [] : diffOutputs(base, outputTreeFrom(plan.lock, output.read)).packages;
  const byName = new Map(compared.map((one) => [one.name, one]));
  const found = folders.flatMap((folder) => {
    const path = `${folder}/package.json`;
    const made = parseJsonObject(output.read(path));
    if (made?.['name'] === undefined) return []; // There are no versions in folder layout.
    const before = parseJsonObject(output.before(path));
    const { version: stated } = before ?? {};
    const present = typeof stated === 'string' && pattern.test(stated) ? stated : undefined;
    const name = String(made['name']);
    const wanted = version.kind === 'fixed' ? version.version : higher(present, byName.get(name)?.versions.suggested);
    return [{ path, made, before, name, folder, version: wanted ?? firstVersion }];
  });
  const versions = new Map(found.map((one) => [one.name, one.version]));
  const restamped = found.filter(({ path, made, before, version }) => {
    const stamped = { ...made, version, ...stampPeers(made, versions, arrangement) };
    if (!isSame(made, stamped)) output.replace(path, printManifest(stamped));
    return before !== undefined && !isSame(before, stamped);
  });
  const paths = new Set(restamped.map(({ path }) => path));
  const writes = plan.writes.map((write) =>
    write.kind === 'keep' && paths.has(write.path) ? { kind: 'replace' as const, path: write.path } : write,
  );
  const entries = found.flatMap(({ name, folder, version }): Write[] => {
    const diff = byName.get(name);
    if (diff === undefined || diff.versions.before === version) return [];
    const path = `${folder}/CHANGELOG.md`;
    const text = output.before(path);
    const next = writeEntry(text, diff, version);
    if (next === text) return [];
    output.replace(path, next);
    return [{ kind: text === '' ? 'create' : 'replace', path }];
  });
  return { ...plan, writes: [...writes, ...entries] };
}

// Unpublished workspace packages accept any version of each other; published ones require a compatible version (`^`).
function stampPeers(
  { peerDependencies }: JsonObject,
  versions: ReadonlyMap<string, string>,
  { publish, peers }: Arrangement,
): JsonObject {
  if (!isJsonObject(peerDependencies)) return {};
  const printRange = (version: string): string => {
    if (peers === 'workspace-protocol') return publish === undefined ? 'workspace:*' : 'workspace:^';
    return publish === undefined ? '*' : `^${version}`;
  };
  const entries = Object.entries(peerDependencies).map(([name, range]) => {
    const version = versions.get(name);
    return [name, version === undefined ? range : printRange(version)] as const;
  });
  return { peerDependencies: Object.fromEntries(entries) };
}

/** Compares only the versions of two manifests. The digest in the lockfile covers everything else. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const peers = ({ peerDependencies }: JsonObject): string =>
    JSON.stringify(isJsonObject(peerDependencies) ? Object.entries(peerDependencies).sort() : []);
  return one['version'] === other['version'] && peers(one) === peers(other);
}

const pattern = /^(\d+\.\d+\.\d+)(?:[-+][0-9A-Za-z.+-]*)?$/;

/** Returns the higher version, and the present one if they are equal. */
function higher(present: string | undefined, proposed: string | undefined): string | undefined {
  if (present === undefined || proposed === undefined) return present ?? proposed;
  const [old = '', next = ''] = [present, proposed].map((version) => pattern.exec(version)?.[1]);
  return next.localeCompare(old, 'en', { numeric: true }) > 0 ? proposed : present;
}
