import { existsSync } from 'node:fs';
import {
  createRouterClient,
  type GenerateConfig,
  type GenerationReport,
  generate,
  nodePorts,
  type Ports,
  type RouterClient,
  type RouterReply,
  readLockedBrand,
  renderReport,
} from '../../../generator/src/index.ts';
import { type JsonObject, parseBrand } from '../../../specs/src/index.ts';
import {
  type RouterCredential,
  readGeneratorHeaders,
  readRouterCredential,
  readTls,
  refusePlainHttp,
} from '../access.ts';
import type { GenerateFlags } from '../commands.ts';
import { CommandFailure, UsageError } from '../errors.ts';
import { type CommandIo, type CommandResult, formatCommand, withProgress } from '../io.ts';
import { type LoadedConfig, type LoadedSettings, listConfigFiles, withBrand } from '../load-settings.ts';
import { chooseOutputLayout, findOutputSettings, resolveVersion } from '../output-layout.ts';

export type GenerateResult = CommandResult<GenerationReport> & {
  /** Command that applies the differences that a check found. */
  readonly mend: string | undefined;
};

/**
 * Generates once. The exit code is 1 for outdated output, files that were not replaced, or with `strict` a failed model.
 * Too many documents that could not be read are the `failure`.
 */
export async function runGenerate(flags: GenerateFlags, io: CommandIo): Promise<GenerateResult> {
  const { report, outDir, isStrict, failure } = await withSourceBrand(flags, io, async (loaded, config, ports) => {
    const version = await resolveVersion(loaded);
    const report = await withProgress(io, (show) => generate({ ...config, version }, ports, show));
    return {
      report,
      outDir: config.outDir,
      isStrict: loaded.config.generate.strict,
      failure: createUnreadFailure(report.models, loaded, report),
    };
  });
  const isDrift = flags.check === true && report.changed;
  const { failed, unread } = report.models;
  const isIncomplete = isStrict && failed > unread;
  // The command that applies the changes, with the flags and variables of this run.
  const { check, json, frozen, offline, strict, ...same } = flags;
  const routerUrl = io.env['SWITCHYARD_ROUTER_URL'] || undefined;
  const mend = isDrift ? formatCommand(['generate'], { routerUrl, ...same }) : undefined;
  const code = isIncomplete || isDrift || report.refused.length > 0 ? 1 : 0;
  const isGood = code === 0 && failure === undefined;
  const text = () => `${renderGeneration(report, mend)}\n${renderSummary(report, outDir, isGood, io)}`;
  return { report, more: { mend }, code, text, failure, mend };
}

/** Describes the result of a run and the output folder. */
function renderSummary(report: GenerationReport, outDir: string, isGood: boolean, io: CommandIo): string {
  const { models, diagnostics } = report;
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const failed = models.failed === 0 ? '' : `, ${models.failed} failed`;
  const lines = [
    io.style(isGood ? 'good' : 'bad', `${models.generated} of ${models.selected} models generated${failed}`),
    io.style('dim', `output: ${outDir}`),
    ...(error === undefined ? [] : [`next: ${formatCommand(['explain', error.code])}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns a failure if the number of unreadable documents exceeds `generate.allowFailed`. */
export function createUnreadFailure(
  { unread, selected }: GenerationReport['models'],
  { config }: LoadedSettings,
  cause: unknown,
): CommandFailure | undefined {
  if (unread <= config.generate.allowFailed) return undefined;
  const message = `${unread} of ${selected} documents could not be read; their models keep the last good output`;
  const advice = `Run the command again, or accept this with --allow-failed ${unread}`;
  return new CommandFailure(`${message}. ${advice}`, { cause });
}

/** Describes a run. `mend`: the command that applies the differences that it found. */
export function renderGeneration(report: GenerationReport, mend: string | undefined): string {
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
  work: (loaded: LoadedSettings, config: GenerateConfig, ports: Ports) => Promise<T>,
  locked?: JsonObject,
): Promise<T> {
  return withBrand(
    flags,
    io,
    async (loaded) => work(loaded, ...(await resolveGeneration(flags, loaded, io))),
    ({ config }) => readLockedBrand(config.generate.out, nodePorts().files),
    locked,
  );
}

/** Returns the configuration of a generator run. Sends no requests. Throws UsageError for invalid settings. */
export async function resolveGeneration(
  flags: GenerateFlags,
  loaded: LoadedSettings,
  io: CommandIo,
): Promise<[GenerateConfig, Ports]> {
  const { routerUrl, generate: settings } = loaded.config;
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
    outDir: settings.out,
    cacheDir: settings.cache,
    specs: loaded.specs,
    ...(isSealed ? { headers: {}, secrets: io.secrets() } : await readGeneratorHeaders(loaded, credential, io)),
    certificate: tls?.cert,
    ...(await chooseOutputLayout(loaded)),
    only: settings.only,
    concurrency: 8,
    deadlineMs: settings.deadline,
    mode: flags.check ? 'check' : 'write',
    source: flags.offline ? 'offline' : 'network',
    frozen: flags.frozen ?? false,
    allowEmpty: settings.allowEmpty,
    parts: settings.typesOnly ? 'types' : settings.outputValidators ? 'all-validators' : 'input-validators',
    version: { kind: 'kept' },
    settingsByName: findOutputSettings(loaded),
  };
  return [config, nodePorts(tls)];
}

/** Opens a router for single requests, with the gateway headers and certificates of the configuration. */
export async function openRouter(
  routerUrl: string,
  credential: RouterCredential,
  loaded: LoadedConfig,
  allowHttp: boolean | undefined,
  io: CommandIo,
): Promise<RouterClient> {
  refusePlainHttp(routerUrl, allowHttp);
  const ports = nodePorts(await readTls(loaded, io));
  const headers = await readGeneratorHeaders(loaded, credential, io);
  const brand = parseBrand(loaded.config.brand ?? 'Service');
  return createRouterClient({ routerUrl, credential, brand, ...headers }, ports);
}

/** Reads the schema document of a model. */
export function readDocument(router: RouterClient, id: string): Promise<RouterReply> {
  const path = `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}/openapi.json`;
  return router.get(path, { operation: 'readSchemaDocument', model: id });
}
