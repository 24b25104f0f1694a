import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import {
  BrandMismatch,
  buildEffectiveSpecs,
  type EffectiveSpecs,
  type JsonObject,
  SpecError,
} from '../../specs/src/index.ts';
import type { SwitchyardConfig } from './config.ts';
import { toMessage, UsageError } from './errors.ts';
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
import { findProblem, isObject, keepStated, ofText, readValue, type Schema, strict } from './values.ts';

export type GetSetting = <Name extends SettingName>(name: Name) => SettingValue<Name>;
/** A configuration with the folder of its file, or the working folder without a file. */
export type ConfigFile = { readonly config: SwitchyardConfig; readonly folder: string };
type Surroundings = Pick<CommandIo, 'env' | 'workingFolder'>;
export type LoadedConfig = ConfigFile & { readonly get: GetSetting };

/** A project's configuration with the specifications that it and the flags select. */
export type Loaded = LoadedConfig & {
  readonly specs: EffectiveSpecs;
};

/** Reads settings: a flag first, then its variable, the file, the `locked` ones of an earlier output, and the default. Paths are relative to the working folder, those of the file to its folder. */
export function createGet(
  flags: object,
  { config, folder }: ConfigFile,
  io: Surroundings,
  locked: JsonObject = {},
): GetSetting {
  return <Name extends SettingName>(name: Name) => {
    const row: Setting = settings[name];
    const option = optionName(name, row);
    const inFile = name.split('.').reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), config);
    const [flag, variable] = [Reflect.get(flags, option), io.env[row.variable ?? ''] || undefined];
    // Each schema makes the value of its setting.
    const read = (given: unknown, from: string, base: string) =>
      readValue(row.schema, given, from, base) as SettingValue<Name>;
    if (flag !== undefined) return read(flag, flagName(option), io.workingFolder);
    if (variable !== undefined) return read(ofText(row.schema, variable), row.variable ?? '', io.workingFolder);
    if (inFile !== undefined) return read(inFile, name, folder);
    if (locked[name] !== undefined) return read(locked[name], `${name} of the lockfile`, folder);
    return row.default === undefined ? (undefined as SettingValue<Name>) : read(row.default, name, folder);
  };
}

type ConfigFlag = { readonly config?: string };
type BrandFlag = ConfigFlag & { readonly brand?: string };

/** Where the configuration may be: the named file, else `switchyard.config.ts|mts|js|mjs` of the working folder. */
export function configFiles(flags: ConfigFlag, io: Surroundings): readonly string[] {
  const folder = io.workingFolder;
  const named = createGet(flags, { config: {}, folder }, io)('config');
  const endings = ['ts', 'mts', 'js', 'mjs'];
  return named === undefined ? endings.map((ending) => join(folder, `switchyard.config.${ending}`)) : [named];
}

export async function loadConfig(flags: ConfigFlag, io: Surroundings, locked?: JsonObject): Promise<LoadedConfig> {
  const files = configFiles(flags, io);
  const file = files.find((one) => existsSync(one));
  if (file === undefined && files.length === 1) throw new UsageError(`configuration file ${files[0]} does not exist`);
  const found =
    file === undefined
      ? { config: {}, folder: io.workingFolder }
      : { config: await readConfig(file), folder: dirname(file) };
  return { ...found, get: createGet(flags, found, io, locked) };
}

/** Throws UsageError, with what to do about it, if the file cannot be loaded or has unknown settings. */
async function readConfig(file: string): Promise<SwitchyardConfig> {
  const module: { default?: unknown } = await import(addressModule(file)).catch((cause: unknown) => {
    const because = toMessage(cause);
    const [, help] = loadHelp.find(([pattern]) => pattern.test(because)) ?? [];
    throw new UsageError(`${file} cannot be loaded: ${because}${help === undefined ? '' : `: ${help}`}`, { cause });
  });
  const problem = findProblem(nest(fileSettings), module.default, 'the object');
  if (problem !== undefined) throw new UsageError(`${file}: ${problem}`);
  return module.default as SwitchyardConfig; // the type is made from the same settings
}

/** When a configuration file was last written at its first import, by path. */
const firstImported = new Map<string, number>();

/** A module is kept by its address, so a file that has changed since gets another one. */
function addressModule(file: string): string {
  const { mtimeMs } = statSync(file);
  const first = firstImported.get(file) ?? mtimeMs;
  firstImported.set(file, first);
  return `${pathToFileURL(file).href}${first === mtimeMs ? '' : `?${mtimeMs}`}`;
}

const loadHelp: readonly (readonly [RegExp, string])[] = [
  // As with npx, which installs elsewhere.
  [/find package 'openapi-switchyard'/, 'install it there as well, or import only the type SwitchyardConfig'],
  // The nearest package.json says CommonJS, as that of a new package does.
  [
    /outside a module|Unexpected token 'export'/,
    'end its name with .mts or .mjs, or set "type": "module" in package.json',
  ],
];

/** Settings that cannot be applied are wrong usage. */
export async function loadSettings(flags: BrandFlag, io: CommandIo, locked?: JsonObject): Promise<Loaded> {
  const loaded = await loadConfig(flags, io, locked);
  try {
    const [brand, queueStatuses] = [loaded.get('brand'), loaded.get('queueStatuses')];
    const specs = buildEffectiveSpecs({ ...keepStated({ brand, queueStatuses }), overlays: loaded.get('overlays') });
    return { ...loaded, specs };
  } catch (error) {
    throw error instanceof SpecError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** A named output folder, else that of the configuration. This is a program, which is not even read where a folder is named. */
export async function outputFolder(named: string | undefined, flags: ConfigFlag, io: CommandIo): Promise<string> {
  if (named !== undefined) return resolve(io.workingFolder, named);
  return (await loadConfig(flags, io)).get('generate.out');
}

/**
 * Does `work` with the settings; without a brand among them, with the one that the source turns out to use: `known` before it
 * is asked, and once more with what it shows. A set brand that it does not use is wrong usage. `locked` are settings of an earlier
 * output, which apply before the defaults.
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
    const isOther = brand !== undefined && brand !== loaded.specs.settings.brand;
    return await work(isOther ? await loadSettings({ ...flags, brand }, io, locked) : loaded);
  } catch (error) {
    if (!(error instanceof BrandMismatch)) throw error;
    // The brand is in names of headers and files: a server that puts a credential there would have it published.
    if ([error.found, error.found.replaceAll('-', '_')].some((word) => io.redact(word) !== word))
      throw new UsageError('the source shows a credential in the place of its brand: set the right word with --brand');
    if (isBrandSet) throw new UsageError(error.message, { cause: error });
    io.err(`the source uses the brand ${error.found}; set it with --brand ${error.found} or in the configuration\n`);
    return withBrand({ ...flags, brand: error.found }, io, work, undefined, locked);
  }
}

/** The schema of these settings as one object, nested by the parts of their names below `start`. */
export function nest(rows: Settings, start = ''): Schema {
  const below = Object.keys(rows).filter((name) => name.startsWith(start));
  const heads = new Set(below.map((name) => name.slice(start.length).split('.', 1).join()));
  const entries = [...heads].map((head) => {
    const row = rows[start + head];
    if (row === undefined) return [head, v.optional(nest(rows, `${start}${head}.`))];
    // A description within the schema would be lost behind a transformation.
    return [head, row.isRequired ? row.schema : v.pipe(v.optional(row.schema), v.description(describe(row)))];
  });
  return strict(Object.fromEntries(entries));
}

/** Throws UsageError for an option that does not exist, or has a value of another kind; `what` takes the options. */
export function checkOptions(what: string, options: object, rows: Settings): void {
  const named = Object.entries(rows).map(([name, row]) => [optionName(name, row), row]);
  const problem = findProblem(nest(Object.fromEntries(named)), options, 'the object');
  if (problem !== undefined) throw new UsageError(`options of ${what}: ${problem}`);
}
