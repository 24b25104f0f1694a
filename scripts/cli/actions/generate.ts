import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type GenerateConfig,
  type GenerationReport,
  generate,
  lockedBrand,
  nodePorts,
  renderReport,
} from '../../../generator/src/index.ts';
import { arrangeOutput, resolveVersion } from '../arrange-output.ts';
import { configFiles } from '../config.ts';
import { UsageError } from '../errors.ts';
import { type GenerateFlags, httpAddress } from '../flags.ts';
import { generatorHeaders, tlsOf } from '../gateway.ts';
import { type CommandIo, commandLine } from '../io.ts';
import { refusePlainHttp } from '../plain-http.ts';
import { withProgress } from '../progress.ts';
import { type Loaded, routerCredential, withBrand } from '../settings.ts';

export type Generated = {
  readonly report: GenerationReport;
  /** Of a check that found differences: the command that writes them. */
  readonly mend?: string;
  /** As an exit code: 1 for drift, refused files, or with `strict` a failed model. */
  readonly code: number;
};

export async function runGenerate(flags: GenerateFlags, io: CommandIo): Promise<number> {
  const generated = await generateOnce(flags, io);
  io.out(flags.json ? `${JSON.stringify(reportOf(generated))}\n` : renderGenerated(generated));
  return generated.code;
}

/** One generation, without its report printed. */
export async function generateOnce(flags: GenerateFlags, io: CommandIo): Promise<Generated> {
  const { report, isStrict } = await withSourceBrand(flags, io, async (loaded, config) => {
    const version = await resolveVersion(config.outDir, flags, loaded.config.generate ?? {});
    const ports = nodePorts(await tlsOf(loaded, io));
    const report = await withProgress(io, (show) =>
      generate({ ...config, version }, ports, ({ phase, done, total, model }) =>
        show(phase, { done, total, subject: model }),
      ),
    );
    return { report, isStrict: flags.strict ?? loaded.config.generate?.strict ?? false };
  });
  const isDrift = flags.check === true && report.changed;
  const isIncomplete = isStrict && report.models.failed > 0;
  const code = isIncomplete || isDrift || report.refused.length > 0 ? 1 : 0;
  return { report, code, ...(isDrift ? { mend: mendingCommand(flags) } : {}) };
}

function reportOf({ report, mend }: Generated): object {
  return mend === undefined ? report : { ...report, mend };
}

export function renderGenerated({ report, mend }: Generated): string {
  return `${renderReport(report)}${mend === undefined ? '' : `\nto mend: ${beforehand(report.refused)}${mend}\n`}`;
}

function beforehand(refused: readonly string[]): string {
  return refused.length === 0 ? '' : 'move away or delete the files that were edited by hand, then ';
}

/** The run that writes what a check misses, with the flags of the check. */
function mendingCommand(flags: GenerateFlags): string {
  const { check, json, frozen, offline, strict, watch, allowHttp, ...others } = flags;
  const words = Object.entries({ ...others, allowHttp }).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [flag, ...[value].flat().map(String)];
  });
  return commandLine(['switchyard', 'generate', ...words]);
}

/** Without a set brand, the one of the output's last run is tried first: offline, or without changes, nothing else tells. */
export function withSourceBrand<T>(
  flags: GenerateFlags,
  io: CommandIo,
  work: (loaded: Loaded, config: GenerateConfig) => Promise<T>,
): Promise<T> {
  return withBrand(
    flags,
    io,
    async (loaded) => work(loaded, await resolveGenerateConfig(flags, loaded, io)),
    (loaded) => lockedBrand(outDirOf(flags, loaded, io), nodePorts().files),
  );
}

function outDirOf(flags: GenerateFlags, loaded: Loaded, io: CommandIo): string {
  if (flags.out !== undefined) return resolve(io.workingFolder, flags.out);
  return resolve(loaded.folder, loaded.config.generate?.out ?? 'generated');
}

function withoutAddress({ config }: GenerateFlags, { workingFolder }: CommandIo): UsageError {
  const isThere = configFiles(workingFolder, config).some((file) => existsSync(file));
  const none = isThere ? '' : ` (${workingFolder} has none)`;
  return new UsageError(
    `no address of a Model Router: set routerUrl in switchyard.config.ts${none}, SWITCHYARD_ROUTER_URL, or --router-url`,
  );
}

/** Every default of a generation is decided here. */
export async function resolveGenerateConfig(
  flags: GenerateFlags,
  loaded: Loaded,
  io: CommandIo,
): Promise<GenerateConfig> {
  const settings = loaded.config.generate ?? {};
  const routerUrl = flags.routerUrl ?? loaded.config.routerUrl;
  if (routerUrl === undefined) throw withoutAddress(flags, io);
  const credential = routerCredential(io.env);
  if (credential === undefined)
    throw new UsageError('no credential for the Model Router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN');
  const address = httpAddress(routerUrl);
  if (!flags.offline) refusePlainHttp(address, flags.allowHttp);
  const outDir = outDirOf(flags, loaded, io);
  return {
    routerUrl: address,
    credential,
    outDir,
    cacheDir:
      flags.cache !== undefined
        ? resolve(io.workingFolder, flags.cache)
        : resolve(loaded.folder, settings.cache ?? '.switchyard/cache'),
    specs: loaded.specs,
    ...(await generatorHeaders(loaded, credential, io)),
    ...(await arrangeOutput(outDir, flags, settings, io)),
    only: flags.only ?? settings.only ?? [],
    concurrency: flags.concurrency ?? settings.concurrency ?? 8,
    mode: flags.check ? 'check' : 'write',
    source: flags.offline ? 'offline' : 'network',
    frozen: flags.frozen ?? false,
    allowEmpty: flags.allowEmpty ?? settings.allowEmpty ?? false,
    outputValidators: flags.outputValidators ?? settings.outputValidators ?? false,
    typesOnly: flags.typesOnly ?? settings.typesOnly ?? false,
  };
}
