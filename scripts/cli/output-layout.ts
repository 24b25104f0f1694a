import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  namePackages,
  nodePorts,
  type OutputLayout,
  type PackageNames,
  readOutputTree,
  type VersionSetting,
} from '../../generator/src/index.ts';
import { asObject, findNearestFolder, type JsonObject } from '../../specs/src/index.ts';
import { isUsageError, UsageError } from './errors.ts';
import { findLatestTag, findOutputAt } from './git-output.ts';
import type { LoadedConfig } from './load-settings.ts';
import { omitUndefined, scopePattern } from './values.ts';

/**
 * Returns the layout of the output and the names of its packages. Uses the first available source: settings, present
 * output, scope of the nearest manifest, plain files. There is no default scope, because anyone could register it and
 * publish packages with these names.
 */
export async function chooseOutputLayout({
  config,
}: LoadedConfig): Promise<{ readonly packageNames: PackageNames; readonly outputLayout: OutputLayout }> {
  const { out: outDir, layout, publish, license, author } = config.generate;
  let scope = layout === 'folder' ? undefined : config.generate.scope;
  if (layout !== 'folder' && scope === undefined) {
    const present = await readPresentScope(outDir);
    if (present === undefined || (present === 'folder' && layout === 'packages')) scope = findNearestScope(outDir);
    else if (present !== 'folder') scope = present;
    if (scope === undefined && layout === 'packages')
      throw new UsageError('the packages need a scope: add --scope @NAME, or set generate.scope in the configuration');
  }
  const outputLayout: OutputLayout = {
    layout: scope === undefined ? 'folder' : 'packages',
    ...(config.generate.routerOnly ? { routerOnly: true } : {}),
    peers: findNearest(outDir, 'pnpm-workspace.yaml') === undefined ? 'any-version' : 'workspace-protocol',
    manifest: omitUndefined({ license, author }),
    ...(publish && { publish: { access: publish.access, ...omitUndefined({ publishConfig: publish.publishConfig }) } }),
  };
  return { packageNames: namePackages(scope ?? '.'), outputLayout };
}

/**
 * Returns the settings that affect the generated files and differ from their defaults, for the lockfile. Leaves out names and layout,
 * because they can be read from the output. Overlays are files of the project, so only their number is included.
 */
export function findOutputSettings({ config }: LoadedConfig): JsonObject | undefined {
  const { queueStatuses, overlays } = config;
  const { only, routerOnly, outputValidators, typesOnly, license, author } = config.generate;
  const listed: JsonObject = omitUndefined({
    queueStatuses: queueStatuses && [...queueStatuses],
    'generate.only': only.length > 0 ? [...only] : undefined,
    'generate.routerOnly': routerOnly || undefined,
    'generate.outputValidators': outputValidators || undefined,
    'generate.typesOnly': typesOnly || undefined,
    'generate.license': license,
    'generate.author': author,
    overlays: overlays.length || undefined,
  });
  return Object.keys(listed).length === 0 ? undefined : listed;
}

/**
 * Returns the scope of the existing output, or `folder` for plain files; undefined if there is no output, or if its
 * manifest was removed or edited.
 */
async function readPresentScope(outDir: string): Promise<string | undefined> {
  const tree = await readOutputTree(outDir, nodePorts().files).catch(() => undefined);
  if (tree === undefined) return undefined;
  const { models, workspace } = tree.lock.packages;
  if (!('models/package.json' in (models?.files ?? {})) || 'README.md' in (workspace?.files ?? {})) return 'folder';
  return readScopeOfName(asObject(tree.json('model-router/package.json'))['name']);
}

/** Returns the scope of the nearest package.json above the output. */
export function findNearestScope(outDir: string): string | undefined {
  const file = findNearest(dirname(outDir), 'package.json');
  if (file === undefined) return undefined;
  try {
    return readScopeOfName(asObject(JSON.parse(new TextDecoder().decode(nodePorts().files.read(file))))['name']);
  } catch {
    return undefined; // The package manager reports a broken manifest.
  }
}

function readScopeOfName(name: unknown): string | undefined {
  const [scope = ''] = String(name).split('/');
  return scopePattern.test(scope) ? scope : undefined;
}

function findNearest(folder: string, name: string): string | undefined {
  const found = findNearestFolder(folder, (one) => existsSync(join(one, name)));
  return found === undefined ? undefined : join(found, name);
}

/** Returns how to set the version of the packages; `auto` compares with the last release. */
export async function resolveVersion({ config }: LoadedConfig): Promise<VersionSetting> {
  const { version, out: outDir, releaseTags: tags } = config.generate;
  if (version === undefined) return { kind: 'kept' };
  if (version !== 'auto') return { kind: 'fixed', version };
  if (tags !== undefined) {
    const tag = await findLatestTag(tags, outDir);
    return { kind: 'raised', base: tag === undefined ? undefined : await findOutputAt(tag, outDir) };
  }
  // Without tags, the current commit counts as the last release, or without a commit the current output.
  const base = await findOutputAt('HEAD', outDir).catch((error: unknown) => {
    if (!isUsageError(error)) throw error;
    return readOutputTree(outDir, nodePorts().files).catch(() => undefined);
  });
  return { kind: 'raised', base };
}
