import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import {
  type GenerateConfig,
  type GenerationReport,
  generate,
  nodePorts,
  type Ports,
  readLockedBrand,
  renderReport,
} from '../../../generator/src/index.ts';
import type { JsonObject } from '../../../specs/src/index.ts';
import { readGeneratorHeaders, readRouterCredential, readTls, refusePlainHttp } from '../access.ts';
import { arrangeOutput, listOutputSettings, resolveVersion } from '../arrange-output.ts';
import type { GenerateFlags } from '../command-flags.ts';
import { CommandFailure, UsageError } from '../errors.ts';
import { isCommitted } from '../git-output.ts';
import { type CommandIo, listSecrets, ownCommand, withProgress } from '../io.ts';
import { type Loaded, listConfigFiles, withBrand } from '../load-settings.ts';

export type Generated = {
  readonly report: GenerationReport;
  /** Folder of the packages. */
  readonly outDir: string;
  /** Command that applies the differences that a check found. */
  readonly mend?: string;
  /** Set if too many documents could not be read. The command throws it after printing the report. */
  readonly failure: CommandFailure | undefined;
  /** Exit code: 3 for a failure; 1 for outdated output, files that were not replaced, or with `strict` a failed model. */
  readonly code: number;
};

export async function runGenerate(flags: GenerateFlags, io: CommandIo): Promise<number> {
  const generated = await generateOnce(flags, io);
  const { report, mend, failure, code } = generated;
  io.out(
    flags.json
      ? `${JSON.stringify({ ...report, mend })}\n`
      : `${renderGenerated(generated)}\n${await describeEnding(generated, io)}`,
  );
  if (failure !== undefined) throw failure;
  return code;
}

/** Generates once, without printing a report. */
export async function generateOnce(flags: GenerateFlags, io: CommandIo): Promise<Generated> {
  const { report, outDir, isStrict, failure } = await withSourceBrand(flags, io, async (loaded, config, ports) => {
    const version = await resolveVersion(loaded);
    const report = await withProgress(io, (show) => generate({ ...config, version }, ports, show));
    return {
      report,
      outDir: config.outDir,
      isStrict: loaded.get('generate.strict'),
      failure: findUnread(report.models, loaded, report),
    };
  });
  const isDrift = flags.check === true && report.changed;
  const { failed, unread } = report.models;
  const isIncomplete = isStrict && failed > unread;
  const findingsCode = isIncomplete || isDrift || report.refused.length > 0 ? 1 : 0;
  const generated = { report, outDir, failure, code: failure === undefined ? findingsCode : 3 };
  if (!isDrift) return generated;
  // The command that applies the changes, with the flags and variables of this run.
  const { check, json, frozen, offline, strict, ...same } = flags;
  const routerUrl = io.env['SWITCHYARD_ROUTER_URL'] || undefined;
  return { ...generated, mend: ownCommand(['generate'], { routerUrl, ...same }) };
}

/** Describes the result of a run, the output folder and the next command. */
async function describeEnding({ report, outDir, mend, code }: Generated, io: CommandIo): Promise<string> {
  const { models, changed, diagnostics } = report;
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const failed = models.failed === 0 ? '' : `, ${models.failed} failed`;
  const folder = relative(io.workingFolder, outDir) || '.';
  let next = ['verify', folder];
  if (error !== undefined) next = ['explain', error.code];
  // `diff --base` compares with git, so it is only suggested for a committed output.
  else if (changed && (await isCommitted(outDir))) next = ['diff', folder, '--base', 'HEAD'];
  return [
    io.style(code === 0 ? 'good' : 'bad', `${models.generated} of ${models.selected} models generated${failed}`),
    io.style('dim', `output: ${outDir}`),
    `next: ${mend ?? ownCommand(next)}\n`,
  ].join('\n');
}

/** Returns a failure if the number of unreadable documents exceeds `generate.allowFailed`. */
export function findUnread(
  { unread, selected }: GenerationReport['models'],
  { get }: Loaded,
  cause: unknown,
): CommandFailure | undefined {
  if (unread <= get('generate.allowFailed')) return undefined;
  const message = `${unread} of ${selected} documents could not be read; their models keep the last good output`;
  const advice = `Run the command again, or accept this with --allow-failed ${unread}`;
  return new CommandFailure(`${message}. ${advice}`, { cause });
}

export function renderGenerated({ report, mend }: Generated): string {
  const first = report.refused.length === 0 ? '' : 'move or delete the files that were edited by hand, then run ';
  return `${renderReport(report)}${mend === undefined ? '' : `\nto fix: ${first}${mend}\n`}`;
}

/**
 * Calls `work` with the configuration of a generator run. If no brand is configured, first uses the brand of the last
 * run, which is the only known one offline or if no document has changed.
 */
export function withSourceBrand<T>(
  flags: GenerateFlags,
  io: CommandIo,
  work: (loaded: Loaded, config: GenerateConfig, ports: Ports) => Promise<T>,
  locked?: JsonObject,
): Promise<T> {
  return withBrand(
    flags,
    io,
    async (loaded) => work(loaded, ...(await resolveGeneration(flags, loaded, io))),
    ({ get }) => readLockedBrand(get('generate.out'), nodePorts().files),
    locked,
  );
}

/** Returns the configuration of a generator run. Sends no requests. Throws UsageError for invalid settings. */
export async function resolveGeneration(
  flags: GenerateFlags,
  loaded: Loaded,
  io: CommandIo,
): Promise<[GenerateConfig, Ports]> {
  const { get } = loaded;
  const [typesOnly, outputValidators] = [get('generate.typesOnly'), get('generate.outputValidators')];
  const routerUrl = get('routerUrl');
  if (routerUrl === undefined) {
    const none = listConfigFiles(flags, io).some((file) => existsSync(file)) ? '' : ` (${io.workingFolder} has none)`;
    throw new UsageError(
      `no base URL for the Model Router: set routerUrl in switchyard.config.ts${none}, SWITCHYARD_ROUTER_URL, or --router-url`,
    );
  }
  const credential = readRouterCredential(io.env);
  // The lockfile contains the digest of each document, so the cache can be read without a credential or gateway headers.
  const isSealed = flags.frozen === true && flags.offline === true;
  if (credential === undefined && !isSealed)
    throw new UsageError('no credential for the Model Router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN');
  if (!flags.offline) refusePlainHttp(routerUrl, flags.allowHttp);
  const tls = isSealed ? undefined : await readTls(loaded, io);
  const config: GenerateConfig = {
    routerUrl,
    credential,
    outDir: get('generate.out'),
    cacheDir: get('generate.cache'),
    specs: loaded.specs,
    ...(isSealed ? { headers: {}, secrets: listSecrets(io.env) } : await readGeneratorHeaders(loaded, credential, io)),
    certificate: tls?.cert,
    ...(await arrangeOutput(loaded)),
    only: get('generate.only'),
    concurrency: 8,
    deadlineMs: get('generate.deadline'),
    mode: flags.check ? 'check' : 'write',
    source: flags.offline ? 'offline' : 'network',
    frozen: flags.frozen ?? false,
    allowEmpty: get('generate.allowEmpty'),
    parts: typesOnly ? 'types' : outputValidators ? 'all-validators' : 'input-validators',
    version: { kind: 'kept' },
    settingsByName: listOutputSettings(loaded),
  };
  return [config, nodePorts(tls)];
}
