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
import { commands, flagName, listFlags } from './commands.ts';
import { UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import { type Config, configSchema, type SwitchyardConfig } from './settings.ts';
import { findProblem, omitUndefined, readFacts, readValue, type Schema, strict } from './values.ts';

/** A configuration as written, and the folder of its file; without a file, the working folder. */
export type ConfigFile = { readonly written: SwitchyardConfig; readonly folder: string };
/** The settings of a project, with flags, environment variables and defaults. */
export type LoadedConfig = ConfigFile & { readonly config: Config };
/** The settings of a project, and the specifications that they select. */
export type LoadedSettings = LoadedConfig & { readonly specs: EffectiveSpecs };

type ProcessPart = Pick<CommandIo, 'env' | 'workingFolder'>;
type ConfigFlag = { readonly config?: string | undefined };
type BrandFlag = ConfigFlag & { readonly brand?: string | undefined };

// `out` overrides a setting of `generate` and one of `conform`; each of the two commands only reads its own.
const overridingFlags = Object.values(commands)
  .flatMap((command) => Object.entries(listFlags(command)))
  .flatMap(([option, { sets, ...flag }]) => (sets === undefined ? [] : [{ option, path: sets.split('.'), ...flag }]));

function withMember(holder: unknown, [name = '', ...rest]: readonly string[], value: unknown): object {
  const members = asObject(holder);
  return { ...members, [name]: rest.length === 0 ? value : withMember(members[name], rest, value) };
}

/**
 * Returns the settings. Precedence: flag, environment variable, file, `locked` settings of an earlier output, default. Paths in flags
 * are relative to the working folder, other paths to the folder of the file. Throws UsageError for an invalid value.
 */
export function resolveConfig(
  flags: object,
  { written, folder }: ConfigFile,
  { env, workingFolder }: ProcessPart,
  locked: JsonObject = {},
): Config {
  let given: unknown = written;
  for (const [name, value] of Object.entries(locked)) {
    const path = name.split('.');
    const inFile = path.reduce<unknown>((at, part) => asObject(at)[part], written);
    if (inFile === undefined) given = withMember(given, path, value);
  }
  for (const { option, path, schema, variable = '' } of overridingFlags) {
    const flag: unknown = Reflect.get(flags, option);
    const value = flag ?? (env[variable] || undefined);
    if (value === undefined) continue;
    readValue(schema, value, flag === undefined ? variable : flagName(option));
    const isPath = readFacts(schema).isPath === true;
    given = withMember(given, path, isPath ? resolvePaths(value, workingFolder) : value);
  }
  const problem = findProblem(configSchema, given, 'the configuration');
  if (problem !== undefined) throw new UsageError(problem);
  const { generate, docs, conform, ...config } = v.parse(configSchema, given);
  return {
    ...config,
    overlays: config.overlays.map((file) => resolve(folder, file)),
    generate: { ...generate, out: resolve(folder, generate.out), cache: resolve(folder, generate.cache) },
    docs: { ...docs, logo: docs.logo && resolve(folder, docs.logo) },
    conform: {
      ...conform,
      out: resolve(folder, conform.out),
      waivers: conform.waivers && resolve(folder, conform.waivers),
    },
  };
}

function resolvePaths(value: unknown, folder: string): unknown {
  return Array.isArray(value) ? value.map((file) => resolve(folder, String(file))) : resolve(folder, String(value));
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
  let found: ConfigFile = { written: {}, folder: io.workingFolder };
  if (file !== undefined) {
    // Node caches modules by URL, so a changed file needs a different URL.
    const url = `${pathToFileURL(file).href}?${statSync(file, { bigint: true }).mtimeNs}`;
    const module: { default?: unknown } = await import(url).catch((cause: unknown) => {
      throw new UsageError(describeImportFailure(file, cause), { cause });
    });
    const problem = findProblem(configSchema, module.default, 'the object');
    if (problem !== undefined) throw new UsageError(`${file}: ${problem}`);
    found = { written: module.default as SwitchyardConfig, folder: dirname(file) };
  }
  return { ...found, config: resolveConfig(flags, found, io, locked) };
}

/** Loads the configuration and the specifications. Throws UsageError if the settings are invalid. */
export async function loadSettings(flags: BrandFlag, io: CommandIo, locked?: JsonObject): Promise<LoadedSettings> {
  const loaded = await loadConfig(flags, io, locked);
  try {
    const { brand, queueStatuses, overlays } = loaded.config;
    return { ...loaded, specs: buildEffectiveSpecs({ ...omitUndefined({ brand, queueStatuses }), overlays }) };
  } catch (error) {
    throw error instanceof SpecError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/**
 * Returns the named output folder, or the one in the configuration. The configuration is a program, so it is only
 * loaded if necessary.
 */
export async function resolveOutputFolder(named: string | undefined, flags: ConfigFlag, io: CommandIo) {
  return named === undefined ? (await loadConfig(flags, io)).config.generate.out : resolve(io.workingFolder, named);
}

/**
 * Calls `work` with the settings. Without a configured brand, first uses the `known` brand, and calls `work` again with
 * the brand of the source if that differs. Throws UsageError if a configured brand differs from the source's. `locked`:
 * settings of an earlier output, which take precedence over defaults.
 */
export async function withBrand<T>(
  flags: BrandFlag,
  io: CommandIo,
  work: (loaded: LoadedSettings) => Promise<T>,
  known: (loaded: LoadedSettings) => string | undefined = () => undefined,
  locked?: JsonObject,
): Promise<T> {
  const loaded = await loadSettings(flags, io, locked);
  const isBrandSet = loaded.config.brand !== undefined;
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

/** Throws UsageError for an unknown option or a value of the wrong type. `what`: name of the function, for the message. */
export function checkOptions(what: string, options: object, schemas: Readonly<Record<string, Schema>>): void {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, v.optional(schema)]);
  const problem = findProblem(strict(Object.fromEntries(entries)), options, 'the object');
  if (problem !== undefined) throw new UsageError(`options of ${what}: ${problem}`);
}
