import { resolve } from 'node:path';
import type { DiffReport, GenerationReport } from '../../generator/src/index.ts';
import { checkOptions, diffOptions, generateOptions } from './call-options.ts';
import { CommandFailure, describeError } from './errors.ts';
import type { DiffFlags, GenerateFlags } from './flags.ts';
import type { CommandIo } from './io.ts';
import { holdsSecret, publicText } from './report-error.ts';

// The generator is imported when it runs: those who want the sandbox alone need not wait for it.

/** Where a call works and with which credential; by default in the current folder, with that of the environment. */
export type CallOptions = {
  /** Paths are relative to this folder, and its `switchyard.config.ts` is read. */
  readonly folder?: string;
  readonly apiKey?: string | undefined;
  /** A bearer token, used where there is no API key. */
  readonly token?: string | undefined;
};
/** The flags of `switchyard generate`, in camel case; what is left out comes from environment, configuration file and defaults. */
export type GenerateOptions = Partial<Omit<GenerateFlags, 'json' | 'watch'>> & CallOptions;
export type DiffOptions = Partial<Omit<DiffFlags, 'json' | 'format' | 'check' | 'watch'>> & CallOptions;

/**
 * Writes the packages as `switchyard generate` does. Rejects where the command would end with exit code 2 or 3; drift under
 * `check` and failed models are in the report.
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerationReport> {
  checkOptions(options, generateOptions satisfies Record<keyof GenerateOptions, unknown>);
  return reportOf(options, async (io) => {
    const { runGenerate } = await import('./actions/generate.ts');
    return runGenerate({ ...flagsOf(options), json: true }, io);
  });
}

/** Classifies what changes from one output folder to another, or, without `after`, to what `generate` would write now. */
export async function diff(before: string, after?: string, options: DiffOptions = {}): Promise<DiffReport> {
  checkOptions(options, diffOptions satisfies Record<keyof DiffOptions, unknown>);
  return reportOf(options, async (io) => {
    const { runDiff } = await import('./actions/diff.ts');
    return runDiff({ before, after }, { ...flagsOf(options), json: true, format: 'json' }, io);
  });
}

async function reportOf<Report>(options: CallOptions, command: (io: CommandIo) => Promise<number>): Promise<Report> {
  const written: string[] = [];
  const io: CommandIo = { ...silentIo(options), out: (text) => void written.push(text) };
  try {
    await command(io);
  } catch (error) {
    const message = describeError(error);
    throw holdsSecret(message, io) ? new CommandFailure(publicText(message, io)) : error;
  }
  // The command has written the report of this type as JSON.
  return JSON.parse(written.join(''));
}

const variables = {
  routerUrl: 'SWITCHYARD_ROUTER_URL',
  brand: 'SWITCHYARD_BRAND',
  queueStatuses: 'SWITCHYARD_QUEUE_STATUSES',
  config: 'SWITCHYARD_CONFIG',
} as const;

/** The flags of a call, with those of the environment, which the command line reads itself. */
export function flagsOf<Options extends CallOptions>(options: Options): Omit<Options, keyof CallOptions> {
  const { folder, apiKey, token, ...given } = options;
  const known = Object.entries(variables).map(([flag, variable]) => [flag, process.env[variable] || undefined]);
  const isSet = ([, value]: readonly unknown[]): boolean => value !== undefined;
  return { ...given, ...Object.fromEntries([...known, ...Object.entries(given)].filter(isSet)) };
}

/** The io of a call, which writes nothing. */
export function silentIo(options: CallOptions): CommandIo {
  return {
    env: environmentOf(options),
    workingFolder: resolve(options.folder ?? '.'),
    isTerminal: false,
    out: () => {},
    err: () => {},
    style: (_, text) => text,
    stopRequested: () => new Promise(() => {}),
  };
}

function environmentOf({ apiKey, token }: CallOptions): CommandIo['env'] {
  const { SWITCHYARD_API_KEY, SWITCHYARD_TOKEN, ...others } = process.env;
  if (apiKey !== undefined) return { ...others, SWITCHYARD_API_KEY: apiKey };
  return token === undefined ? process.env : { ...others, SWITCHYARD_TOKEN: token };
}
