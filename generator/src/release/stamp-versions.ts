import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { parseJsonObject } from '../content.ts';
import { diffOutputs } from '../diff/diff-outputs.ts';
import { type OutputLayout, printManifest } from '../emit/emitted-file.ts';
import type { Output } from '../output/output-folder.ts';
import { type OutputTree, outputTreeFrom } from '../output/output-tree.ts';
import type { Write, WritePlan } from '../output/plan-writes.ts';
import { writeEntry } from './changelog.ts';

/**
 * The version to write into the manifests. `kept`: the current one. `fixed`: the one in the settings. `raised`: one that
 * is raised according to the changes since the last release (`base`); without a release, the current one.
 */
export type VersionSetting =
  | { readonly kind: 'kept' }
  | { readonly kind: 'fixed'; readonly version: string }
  | { readonly kind: 'raised'; readonly base: OutputTree | undefined };

/** Version of a package that has no version yet. */
const firstVersion = '0.1.0';
const folders = ['model-router', 'workflow-execution', 'models'];

type Stamping = {
  readonly output: Output;
  readonly version: VersionSetting;
  readonly outputLayout: OutputLayout;
};

/**
 * Sets the versions in the manifests of a new output and adds these files to the plan. Packages with a raised version get
 * a section in their CHANGELOG.md. The lockfile doesn't list this file, because users may edit it.
 */
export function stampVersions(plan: WritePlan, { output, version, outputLayout }: Stamping): WritePlan {
  const base = version.kind === 'raised' ? version.base : undefined;
  const compared = base === undefined ? [] : diffOutputs(base, outputTreeFrom(plan.lock, output.read)).packages;
  const byName = new Map(compared.map((one) => [one.name, one]));
  const manifests = folders.flatMap((folder) => {
    const path = `${folder}/package.json`;
    const printed = parseJsonObject(output.read(path));
    if (printed?.['name'] === undefined) return []; // There are no versions in folder layout.
    const before = parseJsonObject(output.before(path));
    const { version: text } = before ?? {};
    const current = typeof text === 'string' && pattern.test(text) ? text : undefined;
    const name = String(printed['name']);
    const next =
      version.kind === 'fixed' ? version.version : chooseHigherVersion(current, byName.get(name)?.versions.suggested);
    return [{ path, printed, before, name, folder, version: next ?? firstVersion }];
  });
  const versions = new Map(manifests.map((one) => [one.name, one.version]));
  const restamped = manifests.filter(({ path, printed, before, version }) => {
    const stamped = { ...printed, version, ...stampPeers(printed, versions, outputLayout) };
    if (!hasSameVersions(printed, stamped)) output.replace(path, printManifest(stamped));
    return before !== undefined && !hasSameVersions(before, stamped);
  });
  const paths = new Set(restamped.map(({ path }) => path));
  const writes = plan.writes.map((write) =>
    write.kind === 'keep' && paths.has(write.path) ? { kind: 'replace' as const, path: write.path } : write,
  );
  const entries = manifests.flatMap(({ name, folder, version }): Write[] => {
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
  { publish, peers }: OutputLayout,
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

/** Compares the versions of two manifests. The digest in the lockfile covers all other members. */
function hasSameVersions(one: JsonObject, other: JsonObject): boolean {
  const peers = ({ peerDependencies }: JsonObject): string =>
    JSON.stringify(isJsonObject(peerDependencies) ? Object.entries(peerDependencies).sort() : []);
  return one['version'] === other['version'] && peers(one) === peers(other);
}

const pattern = /^(\d+\.\d+\.\d+)(?:[-+][0-9A-Za-z.+-]*)?$/;

/** Returns the higher version, and the current one if they are equal. */
function chooseHigherVersion(current: string | undefined, proposed: string | undefined): string | undefined {
  if (current === undefined || proposed === undefined) return current ?? proposed;
  const [old = '', next = ''] = [current, proposed].map((version) => pattern.exec(version)?.[1]);
  return next.localeCompare(old, 'en', { numeric: true }) > 0 ? proposed : current;
}
