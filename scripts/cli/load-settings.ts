import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import {
  asObject,
  BrandMismatch,
  buildEffectiveSpecs,
  describeImportFailure,
  type EffectiveSpecs,
  type JsonObject,
  SpecError,
} from '../../specs/src/index.ts';
import type { SwitchyardConfig } from './config.ts';
import { UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import {
  describe,
  fileSettings,
  flagName,
  optionName,
  type Setting,
  type SettingName,
  type Settings,
  type SettingValue,
  settings,
} from './settings.ts';
import { findProblem, omitUndefined, readValue, type Schema, strict } from './values.ts';

export type GetSetting = <Name extends SettingName>(name: Name) => SettingValue<Name>;
/** A configuration and the folder of its file; without a file, the working folder. */
export type ConfigFile = { readonly config: SwitchyardConfig; readonly folder: string };
export type LoadedConfig = ConfigFile & { readonly get: GetSetting };
/** A project's configuration, and the specifications that it and the flags select. */
export type Loaded = LoadedConfig & { readonly specs: EffectiveSpecs };

type ProcessPart = Pick<CommandIo, 'env' | 'workingFolder'>;
type ConfigFlag = { readonly config?: string };
type BrandFlag = ConfigFlag & { readonly brand?: string };

/**
 * Returns a reader of settings. Precedence: flag, environment variable, file, `locked` settings of an earlier output,
 * default. Paths in flags and variables are relative to the working folder, other paths to the folder of the file.
 */
export function createSettingReader(
  flags: object,
  { config, folder }: ConfigFile,
  io: ProcessPart,
  locked: JsonObject = {},
): GetSetting {
  return <Name extends SettingName>(name: Name) => {
    const row: Setting = settings[name];
    const option = optionName(name, row);
    const variable = row.variable ?? '';
    const sources: [given: unknown, from: string, base: string][] = [
      [Reflect.get(flags, option), flagName(option), io.workingFolder],
      [io.env[variable] || undefined, variable, io.workingFolder],
      [name.split('.').reduce<unknown>((at, part) => asObject(at)[part], config), name, folder],
      [locked[name], `${name} in the lockfile`, folder],
      [row.default, name, folder],
    ];
    const firstSource = sources.find(([given]) => given !== undefined);
    // The schema of a setting determines the type of its value.
    return (firstSource && readValue(row.schema, ...firstSource)) as SettingValue<Name>;
  };
}

/**
 * Lists the possible configuration files: the one in the flag, or `switchyard.config.ts|mts|js|mjs` in the working
 * folder.
 */
export function listConfigFiles({ config }: ConfigFlag, { workingFolder }: ProcessPart): readonly string[] {
  if (config !== undefined) return [resolve(workingFolder, config)];
  return ['ts', 'mts', 'js', 'mjs'].map((ending) => join(workingFolder, `switchyard.config.${ending}`));
}

/** Loads the configuration. Throws UsageError with advice if its file cannot be loaded or has unknown settings. */
export async function loadConfig(flags: ConfigFlag, io: ProcessPart, locked?: JsonObject): Promise<LoadedConfig> {
  const files = listConfigFiles(flags, io);
  const file = files.find((one) => existsSync(one));
  if (file === undefined && files.length === 1) throw new UsageError(`configuration file ${files[0]} does not exist`);
  let found: ConfigFile = { config: {}, folder: io.workingFolder };
  if (file !== undefined) {
    // Node caches modules by URL, so a changed file needs a different URL.
    const address = `${pathToFileURL(file).href}?${statSync(file, { bigint: true }).mtimeNs}`;
    const module: { default?: unknown } = await import(address).catch((cause: unknown) => {
      throw new UsageError(describeImportFailure(file, cause), { cause });
    });
    const problem = findProblem(buildObjectSchema(fileSettings), module.default, 'the object');
    if (problem !== undefined) throw new UsageError(`${file}: ${problem}`);
    // The type is generated from the same settings.
    found = { config: module.default as SwitchyardConfig, folder: dirname(file) };
  }
  return { ...found, get: createSettingReader(flags, found, io, locked) };
}

/** Loads the configuration and the specifications. Throws UsageError if the settings are invalid. */
export async function loadSettings(flags: BrandFlag, io: CommandIo, locked?: JsonObject): Promise<Loaded> {
  const loaded = await loadConfig(flags, io, locked);
  try {
    const [brand, queueStatuses] = [loaded.get('brand'), loaded.get('queueStatuses')];
    const specs = buildEffectiveSpecs({ ...omitUndefined({ brand, queueStatuses }), overlays: loaded.get('overlays') });
    return { ...loaded, specs };
  } catch (error) {
    throw error instanceof SpecError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/**
 * Returns the named output folder, or the one in the configuration. The configuration is a program, so it is only
 * loaded if necessary.
 */
export async function resolveOutputFolder(named: string | undefined, flags: ConfigFlag, io: CommandIo) {
  return named === undefined ? (await loadConfig(flags, io)).get('generate.out') : resolve(io.workingFolder, named);
}

/**
 * Calls `work` with the settings. Without a configured brand, first uses the `known` brand, and calls `work` again with
 * the brand of the source if that differs. Throws UsageError if a configured brand differs from the source's. `locked`:
 * settings of an earlier output, which take precedence over defaults.
 */
export async function withBrand<T>(
  flags: BrandFlag,
  io: CommandIo,
  work: (loaded: Loaded) => Promise<T>,
  known: (loaded: Loaded) => string | undefined = () => undefined,
  locked?: JsonObject,
): Promise<T> {
  const loaded = await loadSettings(flags, io, locked);
  const isBrandSet = loaded.get('brand') !== undefined;
  const brand = isBrandSet ? undefined : known(loaded);
  try {
    const differs = brand !== undefined && brand !== loaded.specs.settings.brand;
    return await work(differs ? await loadSettings({ ...flags, brand }, io, locked) : loaded);
  } catch (error) {
    if (!(error instanceof BrandMismatch)) throw error;
    // The brand becomes part of header and file names, so a server could publish a credential by using it as the brand.
    if ([error.found, error.found.replaceAll('-', '_')].some((word) => io.redact(word) !== word))
      throw new UsageError('the source uses a credential as its brand: set the correct brand with --brand');
    if (isBrandSet) throw new UsageError(error.message, { cause: error });
    io.err(`the source uses the brand ${error.found}; set it with --brand ${error.found} or in the configuration\n`);
    return withBrand({ ...flags, brand: error.found }, io, work, undefined, locked);
  }
}

/**
 * Returns one object schema for the settings whose names begin with `start`. Dots in the rest of the name become nested
 * objects.
 */
export function buildObjectSchema(rows: Settings, start = ''): Schema {
  const below = Object.keys(rows).filter((name) => name.startsWith(start));
  const heads = new Set(below.map((name) => name.slice(start.length).split('.', 1).join()));
  const entries = [...heads].map((head) => {
    const row = rows[start + head];
    if (row === undefined) return [head, v.optional(buildObjectSchema(rows, `${start}${head}.`))];
    // The description must be outside of the schema: a transformation inside it would hide the description.
    return [head, v.pipe(v.optional(row.schema), v.description(describe(row)))];
  });
  return strict(Object.fromEntries(entries));
}

/** Throws UsageError for an unknown option or a value of the wrong type. `what`: name of the function, for the message. */
export function checkOptions(what: string, options: object, schemas: Readonly<Record<string, Schema>>): void {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, v.optional(schema)]);
  const problem = findProblem(strict(Object.fromEntries(entries)), options, 'the object');
  if (problem !== undefined) throw new UsageError(`options of ${what}: ${problem}`);
}
