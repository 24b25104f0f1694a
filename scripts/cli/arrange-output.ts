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
import { settings } from './command-flags.ts';
import { UsageError } from './errors.ts';
import { findLatestTag, findOutputAt, hasCommit } from './git-output.ts';
import type { CommandIo } from './io.ts';
import type { GetSetting, LoadedConfig } from './load-settings.ts';
import { omitUndefined } from './values.ts';

type ArrangedOutput = { readonly packageNames: PackageNames; readonly arrangement: Arrangement };

/**
 * Returns the layout of the output and the names of its packages. Uses the first available source: settings, present
 * output, scope of the nearest manifest, answer at the terminal, plain files. There is no default scope, because anyone
 * could register it and publish packages with these names.
 */
export async function arrangeOutput(loaded: LoadedConfig, io: CommandIo): Promise<ArrangedOutput> {
  const { get } = loaded;
  const { publish } = loaded.config.generate ?? {};
  const outDir = get('generate.out');
  const names = await resolveNames(outDir, loaded, io);
  const arrangement: Arrangement = {
    layout: names === undefined ? 'folder' : 'packages',
    ...(get('generate.routerOnly') ? { routerOnly: true } : {}),
    peers: findNearest(outDir, 'pnpm-workspace.yaml') === undefined ? 'any-version' : 'workspace-protocol',
    manifest: omitUndefined({ license: get('generate.license'), author: get('generate.author') }),
    ...(publish === undefined ? {} : { publish: { access: 'restricted', ...publish } }),
  };
  return { packageNames: names ?? namePackages('.'), arrangement };
}

/** Returns undefined for a folder of plain files. */
async function resolveNames(outDir: string, { get }: LoadedConfig, io: CommandIo): Promise<PackageNames | undefined> {
  const layout = get('generate.layout');
  if (layout === 'folder') return undefined;
  const scope = get('generate.scope');
  if (scope !== undefined) return namePackages(parseScope(scope));
  const present = await readPresentScope(outDir);
  if (present === 'folder' && layout === undefined) return undefined;
  if (present !== undefined && present !== 'folder') return namePackages(present);
  const found = findNearestScope(outDir) ?? (await askForScope(io, undefined));
  if (found !== undefined) return namePackages(found);
  if (layout === 'packages')
    throw new UsageError('the packages need a scope: add --scope @NAME, or set generate.scope in the configuration');
  return undefined;
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
 * Returns the settings that differ from their defaults, for the lockfile. Of overlays, which are files of the project,
 * it only includes the number.
 */
export function listOutputSettings({ get }: LoadedConfig): JsonObject | undefined {
  const stated = outputSettingNames.flatMap((name): [string, JsonValue][] => {
    const [value, usual] = [get(name), Reflect.get(settings[name], 'default')];
    return value === undefined || JSON.stringify(value) === JSON.stringify(usual)
      ? []
      : [[name, typeof value === 'object' ? [...value] : value]];
  });
  const overlays = get('overlays').length;
  const all: JsonObject = { ...Object.fromEntries(stated), ...(overlays > 0 ? { overlays } : {}) };
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

const scopePattern = /^@[a-z0-9][a-z0-9._-]*$/;

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

/** Asks for a scope at the terminal. Returns `known` if there is no terminal or the answer is empty. */
export async function askForScope(io: CommandIo, known: string | undefined): Promise<string | undefined> {
  const fallback = known ?? 'plain files without packages';
  const answer = await io.ask?.(`npm scope of the packages, such as @acme (empty: ${fallback}): `);
  return answer ? parseScope(answer.startsWith('@') ? answer : `@${answer}`) : known;
}

export function parseScope(text: string): string {
  if (!scopePattern.test(text))
    throw new UsageError(`--scope must be an npm scope such as @acme, got ${JSON.stringify(text)}`);
  return text;
}

/** Returns how to set the version of the packages; `auto` compares with the last release. */
export async function resolveVersion({ get }: { readonly get: GetSetting }): Promise<VersionSetting> {
  const [wanted, outDir, tags] = [get('generate.version'), get('generate.out'), get('generate.releaseTags')];
  if (wanted === undefined) return { kind: 'kept' };
  if (wanted !== 'auto') return { kind: 'fixed', version: wanted };
  if (tags !== undefined) {
    const tag = await findLatestTag(tags, outDir);
    return { kind: 'raised', base: tag === undefined ? undefined : await findOutputAt(tag, outDir) };
  }
  // Without tags, the current commit counts as the last release, or outside of git the current output.
  if (await hasCommit(outDir)) return { kind: 'raised', base: await findOutputAt('HEAD', outDir) };
  return { kind: 'raised', base: await readOutputTree(outDir, nodePorts().files).catch(() => undefined) };
}
