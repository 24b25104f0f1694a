import { resolve } from 'node:path';
import querystring from 'node:querystring';
import {
  BrandMismatch,
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  parseBrand,
  SpecError,
  type SpecSettings,
} from '../../specs/src/index.ts';
import { type LoadedConfig, loadConfig } from './config.ts';
import { UsageError } from './errors.ts';
import type { SpecFlags } from './flags.ts';
import type { CommandIo } from './io.ts';

/** A project's configuration with the specifications that it and the flags select. */
export type Loaded = LoadedConfig & {
  readonly settings: SpecSettings;
  /** Whether flag, environment or configuration file name the brand. */
  readonly isBrandSet: boolean;
  readonly specs: EffectiveSpecs;
};

/** Settings that cannot be applied are wrong usage. */
export async function loadSettings(flags: SpecFlags, io: CommandIo): Promise<Loaded> {
  const loaded = await loadConfig(io.workingFolder, flags.config);
  try {
    const settings = resolveSpecSettings(flags, loaded, io.workingFolder);
    const isBrandSet = (flags.brand ?? loaded.config.brand) !== undefined;
    return { ...loaded, settings, isBrandSet, specs: await buildEffectiveSpecs(settings) };
  } catch (error) {
    throw error instanceof SpecError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** A named output folder, else that of the configuration. This is a program, which is not even read where a folder is named. */
export async function outputFolder(
  named: string | undefined,
  flags: Pick<SpecFlags, 'config'>,
  io: CommandIo,
): Promise<string> {
  if (named !== undefined) return resolve(io.workingFolder, named);
  const loaded = await loadConfig(io.workingFolder, flags.config);
  return resolve(loaded.folder, loaded.config.generate?.out ?? 'generated');
}

/**
 * Does `work` with the settings; without a brand among them, with the one that the source turns out to use: `known` before it
 * is asked, and once more with what it shows. A set brand that it does not use is wrong usage.
 */
export async function withBrand<T>(
  flags: SpecFlags,
  io: CommandIo,
  work: (loaded: Loaded) => Promise<T>,
  known: (loaded: Loaded) => string | undefined = () => undefined,
): Promise<T> {
  const loaded = await loadSettings(flags, io);
  const brand = loaded.isBrandSet ? undefined : known(loaded);
  try {
    const isOther = brand !== undefined && brand !== loaded.settings.brand;
    return await work(isOther ? await loadSettings({ ...flags, brand }, io) : loaded);
  } catch (error) {
    if (!(error instanceof BrandMismatch)) throw error;
    if (loaded.isBrandSet) throw new UsageError(error.message, { cause: error });
    io.err(`the source uses the brand ${error.found}; set it with --brand ${error.found} or in the configuration\n`);
    return refusingOthers(() => loadSettings({ ...flags, brand: error.found }, io).then(work));
  }
}

async function refusingOthers<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BrandMismatch ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Flags over environment over configuration file over defaults. */
function resolveSpecSettings(flags: SpecFlags, loaded: LoadedConfig, workingFolder: string): SpecSettings {
  const fromFlags = flags.overlay?.map((file) => resolve(workingFolder, file));
  const fromConfig = loaded.config.overlays?.map((file) => resolve(loaded.folder, file));
  return {
    brand: parseBrand(flags.brand ?? loaded.config.brand ?? defaultSpecSettings.brand),
    queueStatuses:
      parseQueueStatuses(flags.queueStatuses) ?? loaded.config.queueStatuses ?? defaultSpecSettings.queueStatuses,
    overlays: fromFlags ?? fromConfig ?? [],
  };
}

function parseQueueStatuses(text: string | undefined): SpecSettings['queueStatuses'] | undefined {
  if (text === undefined) return undefined;
  const [waiting, running, ...more] = text.split(',').map((part) => part.trim());
  if (!waiting || !running || more.length > 0 || waiting === running || [waiting, running].includes('COMPLETED')) {
    throw new UsageError(
      `--queue-statuses takes two different names other than COMPLETED, separated by a comma; got ${JSON.stringify(text)}`,
    );
  }
  return [waiting, running];
}

export type RouterCredential = { readonly kind: 'api-key' | 'bearer'; readonly value: string };

/** The router's credential from the environment; an API key wins over a token, as at the router (MR-AUT-05). */
export function routerCredential(env: CommandIo['env']): RouterCredential | undefined {
  const key = printable('SWITCHYARD_API_KEY', env);
  if (key !== undefined) return { kind: 'api-key', value: key };
  const token = printable('SWITCHYARD_TOKEN', env);
  return token === undefined ? undefined : { kind: 'bearer', value: token };
}

export function workflowToken(env: CommandIo['env']): string | undefined {
  return printable('SWITCHYARD_WORKFLOW_TOKEN', env);
}

/** Every credential of the environment, also those that a command does not use, and the passwords of proxies. */
export function secretsIn(env: CommandIo['env']): readonly string[] {
  const names = ['SWITCHYARD_API_KEY', 'SWITCHYARD_TOKEN', 'SWITCHYARD_WORKFLOW_TOKEN'];
  const proxies = ['HTTPS_PROXY', 'HTTP_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  const passwords = proxies.map((name) => URL.parse(env[name] ?? '')?.password ?? '').map(querystring.unescape);
  return [...names.map((name) => env[name] ?? ''), ...passwords].filter((value) => value !== '');
}

// A header cannot carry other characters, and the message must not show the secret.
export function printable(name: string, env: CommandIo['env']): string | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  if (!/^[\x21-\x7e]+$/.test(value)) throw new UsageError(`${name} holds characters that a header cannot carry`);
  return value;
}
