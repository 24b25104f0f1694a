import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Arrangement,
  nodePorts,
  type OutputTree,
  type PackageNames,
  packageNamesIn,
  readOutputTree,
  type VersionSetting,
} from '../../generator/src/index.ts';
import type { SwitchyardConfig } from './config.ts';
import { UsageError } from './errors.ts';
import { findAbove } from './find-above.ts';
import { type GenerateFlags, packageVersion } from './flags.ts';
import type { CommandIo } from './io.ts';

type Settings = NonNullable<SwitchyardConfig['generate']>;
export type ArrangedOutput = { readonly packageNames: PackageNames; readonly arrangement: Arrangement };

const folders = { modelRouter: 'model-router', workflowExecution: 'workflow-execution', models: 'models' } as const;

/**
 * How the output is laid out and what its packages are called: as set, else as the output is already, else in the scope of the
 * nearest manifest, else as a person at the terminal says, else as plain files. No scope is assumed: anybody could
 * register it and publish packages of these names.
 */
export async function arrangeOutput(
  outDir: string,
  flags: GenerateFlags,
  settings: Settings,
  io: CommandIo,
): Promise<ArrangedOutput> {
  const names = await resolveNames(outDir, flags, settings, io);
  const { license, author, publish } = settings;
  const arrangement: Arrangement = {
    layout: names === undefined ? 'folder' : 'packages',
    peers: nearest(outDir, 'pnpm-workspace.yaml') === undefined ? 'any-version' : 'workspace-protocol',
    ...(license === undefined ? {} : { license }),
    ...(author === undefined ? {} : { author }),
    ...(publish === undefined ? {} : { publish: { access: 'restricted', ...publish } }),
  };
  return { packageNames: names ?? packageNamesIn('.'), arrangement };
}

/** Undefined for a folder of plain files. */
async function resolveNames(
  outDir: string,
  flags: GenerateFlags,
  settings: Settings,
  io: CommandIo,
): Promise<PackageNames | undefined> {
  const layout = flags.layout ?? settings.layout;
  if (layout === 'folder') return undefined;
  distinctValues(settings.packages ?? {});
  const scope = flags.scope ?? settings.scope;
  if (scope !== undefined) return namesOf(parseScope(scope), settings.packages);
  const present = await presentNames(outDir);
  if (present === 'folder' && layout === undefined) return undefined;
  if (present !== undefined && present !== 'folder') return distinct({ ...present, ...settings.packages });
  const whole = allNames(settings.packages);
  if (whole !== undefined) return whole;
  const found = nearestScope(outDir) ?? (await askForScope(io, undefined));
  if (found !== undefined) {
    flags.scope = found; // a run that starts again with another brand asks once
    return namesOf(found, settings.packages);
  }
  if (layout === 'packages' || settings.packages !== undefined)
    throw new UsageError('the packages need a scope: give --scope @NAME, or generate.scope in the configuration');
  return undefined;
}

function allNames({ modelRouter, workflowExecution, models }: Partial<PackageNames> = {}): PackageNames | undefined {
  const isWhole = modelRouter !== undefined && workflowExecution !== undefined && models !== undefined;
  return isWhole ? { modelRouter, workflowExecution, models } : undefined;
}

/** The names in an earlier output, `folder` for one of plain files. */
async function presentNames(outDir: string): Promise<PackageNames | 'folder' | undefined> {
  const tree = await readOutputTree(outDir, nodePorts().files).catch(() => undefined);
  if (tree === undefined) return undefined;
  if (!('models/package.json' in (tree.lock.packages['models']?.files ?? {}))) return 'folder';
  const names = Object.entries(folders).map(([key, folder]) => {
    const manifest = tree.json(`${folder}/package.json`);
    return [
      key,
      typeof manifest === 'object' && manifest !== null && 'name' in manifest ? manifest['name'] : undefined,
    ];
  });
  // A manifest that was lost or edited is no reason to guess.
  if (!names.every(([, name]) => typeof name === 'string' && isPackageName.test(name))) return undefined;
  return Object.fromEntries(names) as PackageNames; // every member was checked
}

const isPackageName = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const scopePattern = /^@[a-z0-9][a-z0-9._-]*$/;

/** The scope of the nearest manifest above the output. */
export function nearestScope(outDir: string): string | undefined {
  const file = nearest(dirname(outDir), 'package.json');
  if (file === undefined) return undefined;
  const [scope = ''] = nameIn(file).split('/');
  return scopePattern.test(scope) ? scope : undefined;
}

function nameIn(file: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const name = typeof manifest === 'object' && manifest !== null && 'name' in manifest ? manifest.name : undefined;
    return typeof name === 'string' ? name : '';
  } catch {
    return ''; // a broken manifest names nothing; the package manager reports it
  }
}

function nearest(folder: string, name: string): string | undefined {
  const found = findAbove(folder, (one) => existsSync(join(one, name)));
  return found === undefined ? undefined : join(found, name);
}

/** `known` where nobody can answer, or the answer is empty. */
export async function askForScope(io: CommandIo, known: string | undefined): Promise<string | undefined> {
  const otherwise = known ?? 'plain files without packages';
  const answer = await io.ask?.(`npm scope of the packages, such as @acme (empty: ${otherwise}): `);
  return answer ? parseScope(answer.startsWith('@') ? answer : `@${answer}`) : known;
}

function namesOf(scope: string, named: Partial<PackageNames> = {}): PackageNames {
  return distinct({ ...packageNamesIn(scope), ...named });
}

function distinct(names: PackageNames): PackageNames {
  distinctValues(names);
  return names;
}

function distinctValues(names: Partial<PackageNames>): void {
  const given = Object.values(names);
  if (new Set(given).size < given.length)
    throw new UsageError(`the three packages need different names; got ${given.join(', ')}`);
}

export function parseScope(text: string): string {
  if (!scopePattern.test(text))
    throw new UsageError(`--scope takes an npm scope such as @acme; got ${JSON.stringify(text)}`);
  return text;
}

/** The versions that packages get. The last release is the newest tag of a pattern, else the present commit, else the present output. */
export async function resolveVersion(
  outDir: string,
  flags: GenerateFlags,
  settings: Settings,
): Promise<VersionSetting> {
  const wanted =
    flags.packageVersion ?? (settings.version === undefined ? undefined : packageVersion(settings.version));
  if (wanted === undefined) return { kind: 'kept' };
  if (wanted !== 'auto') return { kind: 'fixed', version: wanted };
  return { kind: 'raised', base: await lastRelease(outDir, settings.releaseTags) };
}

async function lastRelease(outDir: string, tags: string | undefined): Promise<OutputTree | undefined> {
  // Loaded when needed: starting a process is what no other run does.
  const { findOutputAt, hasCommit, latestTag } = await import('./git-output.ts');
  if (tags !== undefined) {
    const tag = await latestTag(tags, outDir);
    return tag === undefined ? undefined : findOutputAt(tag, outDir);
  }
  if (await hasCommit(outDir)) return findOutputAt('HEAD', outDir);
  return readOutputTree(outDir, nodePorts().files).catch(() => undefined);
}
