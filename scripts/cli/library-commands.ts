import { resolve } from 'node:path';
import type { DiffReport, GenerationReport, SiteReport, Verification } from '../../generator/src/index.ts';
import { redactTree } from '../../specs/src/index.ts';
import { callSchemas } from './commands.ts';
import { CommandFailure, describeError } from './errors.ts';
import { type CommandIo, type CommandResult, guardIo } from './io.ts';
import { checkOptions } from './load-settings.ts';
import type { SwitchyardConfig } from './settings.ts';
import { anyText, folder, path, type Schema, text } from './values.ts';

// Imports the generator on demand, so that a program that only uses the sandbox loads fast.

/** Folder and credential of a call. Default: the current folder and the credential in the environment. */
export type CallOptions = {
  /** Folder that paths are relative to and whose `switchyard.config.ts` is read. */
  readonly folder?: string;
  readonly apiKey?: string | undefined;
  /** Bearer token, used if there is no API key. */
  readonly token?: string | undefined;
};
type PackageSettings = NonNullable<SwitchyardConfig['generate']>;
/** The flags of `generate` in camel case. Omitted options come from the environment, the configuration file and defaults. */
export type GenerateOptions = CallOptions &
  Pick<SwitchyardConfig, 'brand' | 'queueStatuses' | 'routerUrl'> &
  Omit<PackageSettings, 'author' | 'license' | 'publish' | 'releaseTags' | 'version'> & {
    /** Configuration file (default: switchyard.config.ts, if it exists). */
    readonly config?: string;
    /** OpenAPI Overlay 1.0 documents, applied in order. */
    readonly overlay?: readonly string[];
    /** Version of the packages, like the setting `generate.version`. */
    readonly packageVersion?: string;
    /** Write nothing; the report says if the output is outdated. */
    readonly check?: boolean;
    /** Generate exactly the documents listed in switchyard.lock.json, or fail. */
    readonly frozen?: boolean;
    /** Send no requests; only read the cache. */
    readonly offline?: boolean;
    /** Allow sending the credential to a public host over plain http. */
    readonly allowHttp?: boolean;
  };
export type DiffOptions = Omit<GenerateOptions, 'check'> & {
  /** A git revision to compare with. */
  readonly base?: string;
  /** Glob of files whose use of models is reported in `used`. */
  readonly usedBy?: string;
};
export type VerifyOptions = Pick<GenerateOptions, 'folder' | 'config'>;
export type DocsOptions = Omit<GenerateOptions, 'check'> & {
  /** Folder of the generated packages, for listing changes since then; `out` is the folder of the site. */
  readonly packages?: string;
};

/**
 * Generates the packages like `npx openapi-switchyard generate`. Rejects if the command would end with exit code 2 or
 * 3; if documents could not be read, the report is the `cause`. Failed models, and with `check` outdated output, don't
 * reject: they are in the report.
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerationReport> {
  return call('generate()', callSchemas, options, async (flags, io) => {
    const { runGenerate } = await import('./actions/generate.ts');
    return runGenerate(flags, io);
  });
}

/**
 * Classifies the changes from the output folder `before` to the output folder `after`. Default for `after`: the output
 * that `generate` would write now.
 */
export async function diff(before: string, after?: string, options: DiffOptions = {}): Promise<DiffReport> {
  return call('diff()', { ...callSchemas, base: text, usedBy: text }, options, async (flags, io) => {
    const { runDiff } = await import('./actions/diff.ts');
    return runDiff(flags, io, before, after);
  });
}

/** Compares an output folder with its lockfile. Default: the folder in the configuration. */
export async function verify(folder?: string, options: VerifyOptions = {}): Promise<Verification> {
  return call('verify()', { folder: anyText, config: path }, options, async (flags, io) => {
    const { runVerify } = await import('./actions/verify.ts');
    return runVerify(flags, io, folder);
  });
}

/** Writes a static site about the models and both APIs. */
export async function docs(options: DocsOptions = {}): Promise<SiteReport> {
  return call('docs()', { ...callSchemas, packages: folder }, options, async (flags, io) => {
    const { runDocs } = await import('./actions/docs.ts');
    return runDocs(flags, io);
  });
}

/** Checks the options and calls `work`. Redacts secrets in the report and in errors. */
async function call<Options extends CallOptions, Report>(
  name: string,
  schemas: Readonly<Record<string, Schema>>,
  options: Options,
  work: (flags: Omit<Options, keyof CallOptions>, io: CommandIo) => Promise<CommandResult<Report>>,
): Promise<Report> {
  checkOptions(name, options, schemas);
  const io = createSilentIo(options);
  const { folder: _, apiKey, token, ...flags } = options;
  try {
    const { report, failure } = await work(flags, io);
    if (failure !== undefined) throw failure;
    return redactTree(report, io.redact);
  } catch (error) {
    const message = describeError(error);
    const shown = io.redact(message);
    throw shown === message ? error : new CommandFailure(shown);
  }
}

/** Returns the io of a call, which writes nothing by default. */
export function createSilentIo({ apiKey, token, folder = '.' }: CallOptions): CommandIo {
  const { SWITCHYARD_API_KEY, SWITCHYARD_TOKEN, ...others } = process.env;
  const ownCredential = apiKey === undefined ? { SWITCHYARD_TOKEN: token } : { SWITCHYARD_API_KEY: apiKey };
  return guardIo({
    env: apiKey === undefined && token === undefined ? process.env : { ...others, ...ownCredential },
    workingFolder: resolve(folder),
    isTerminal: false,
    out: () => {},
    err: () => {},
    style: (_, text) => text,
    stopRequested: () => new Promise(() => {}),
  });
}
