import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Arrangement,
  namePackages,
  nodePorts,
  type PackageNames,
  readOutputTree,
  type VersionSetting,
} from '../../generator/src/index.ts';
import { asObject, findAbove, type JsonObject, type JsonValue } from '../../specs/src/index.ts';
import { isUsageError, UsageError } from './errors.ts';
import { findLatestTag, findOutputAt } from './git-output.ts';
import type { GetSetting, LoadedConfig } from './load-settings.ts';
import { settings } from './settings.ts';
import { omitUndefined, scopePattern } from './values.ts';

/**
 * Returns the layout of the output and the names of its packages. Uses the first available source: settings, present
 * output, scope of the nearest manifest, plain files. There is no default scope, because anyone could register it and
 * publish packages with these names.
 */
export async function arrangeOutput({
  config,
  get,
}: LoadedConfig): Promise<{ readonly packageNames: PackageNames; readonly arrangement: Arrangement }> {
  const [outDir, layout] = [get('generate.out'), get('generate.layout')];
  const { publish } = config.generate ?? {};
  let scope = layout === 'folder' ? undefined : get('generate.scope');
  if (layout !== 'folder' && scope === undefined) {
    const present = await readPresentScope(outDir);
    if (present === undefined || (present === 'folder' && layout === 'packages')) scope = findNearestScope(outDir);
    else if (present !== 'folder') scope = present;
    if (scope === undefined && layout === 'packages')
      throw new UsageError('the packages need a scope: add --scope @NAME, or set generate.scope in the configuration');
  }
  const arrangement: Arrangement = {
    layout: scope === undefined ? 'folder' : 'packages',
    ...(get('generate.routerOnly') ? { routerOnly: true } : {}),
    peers: findNearest(outDir, 'pnpm-workspace.yaml') === undefined ? 'any-version' : 'workspace-protocol',
    manifest: omitUndefined({ license: get('generate.license'), author: get('generate.author') }),
    ...(publish === undefined ? {} : { publish: { access: 'restricted', ...publish } }),
  };
  return { packageNames: namePackages(scope ?? '.'), arrangement };
}

/**
 * Settings that affect the generated files. Names and layout are excluded, because they can be read from the output.
 */
const outputSettingNames = [
  'queueStatuses',
  'generate.only',
  'generate.routerOnly',
  'generate.outputValidators',
  'generate.typesOnly',
  'generate.license',
  'generate.author',
] as const;

/**
 * Returns the settings that differ from their defaults, for the lockfile. Overlays are files
 * of the project, so only their number is included.
 */
export function listOutputSettings({ get }: LoadedConfig): JsonObject | undefined {
  const changedSettings = outputSettingNames.flatMap((name): [string, JsonValue][] => {
    const [value, usual] = [get(name), Reflect.get(settings[name], 'default')];
    return value === undefined || JSON.stringify(value) === JSON.stringify(usual)
      ? []
      : [[name, typeof value === 'object' ? [...value] : value]];
  });
  const overlays = get('overlays').length;
  const all: JsonObject = { ...Object.fromEntries(changedSettings), ...(overlays > 0 ? { overlays } : {}) };
  return Object.keys(all).length === 0 ? undefined : all;
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
  const found = findAbove(folder, (one) => existsSync(join(one, name)));
  return found === undefined ? undefined : join(found, name);
}

/** Returns how to set the version of the packages; `auto` compares with the last release. */
export async function resolveVersion({ get }: { readonly get: GetSetting }): Promise<VersionSetting> {
  const [version, outDir, tags] = [get('generate.version'), get('generate.out'), get('generate.releaseTags')];
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
