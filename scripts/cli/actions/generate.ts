import { resolve } from 'node:path';
import {
  type GenerateConfig,
  generate,
  lockedBrand,
  nodePorts,
  type PackageNames,
  packageNamesIn,
  renderReport,
} from '../../../generator/src/index.ts';
import { UsageError } from '../errors.ts';
import { type GenerateFlags, httpAddress } from '../flags.ts';
import { type CommandIo, commandLine, withProgress } from '../io.ts';
import { refusePlainHttp } from '../plain-http.ts';
import { type Loaded, routerCredential, withBrand } from '../settings.ts';

export async function runGenerate(flags: GenerateFlags, io: CommandIo): Promise<number> {
  const { report, isStrict } = await withSourceBrand(flags, io, async (loaded, config) => {
    const report = await withProgress(io, (progress) =>
      generate(config, nodePorts(), ({ phase, done, total, model }) =>
        progress.step(phase, [total === undefined ? '' : `${done}/${total}`, model].filter(Boolean).join(' ')),
      ),
    );
    return { report, isStrict: flags.strict ?? loaded.config.generate?.strict ?? false };
  });
  const isDrift = flags.check === true && report.changed;
  const mend = isDrift ? mendingCommand(flags) : undefined;
  io.out(
    flags.json
      ? `${JSON.stringify(mend === undefined ? report : { ...report, mend })}\n`
      : `${renderReport(report)}${mend === undefined ? '' : `\nto mend: ${mend}\n`}`,
  );
  const isIncomplete = isStrict && report.models.failed > 0;
  return isIncomplete || isDrift || report.refused.length > 0 ? 1 : 0;
}

/** The run that writes what a check misses, with the flags of the check. */
function mendingCommand(flags: GenerateFlags): string {
  const { check, json, frozen, offline, strict, allowHttp, ...others } = flags;
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
  const configOf = (loaded: Loaded): GenerateConfig => resolveGenerateConfig(flags, loaded, io);
  return withBrand(
    flags,
    io,
    (loaded) => work(loaded, configOf(loaded)),
    (loaded) => lockedBrand(configOf(loaded).outDir, nodePorts().files),
  );
}

/** Every default of a generation is decided here. */
export function resolveGenerateConfig(flags: GenerateFlags, loaded: Loaded, io: CommandIo): GenerateConfig {
  const settings = loaded.config.generate ?? {};
  const routerUrl = flags.routerUrl ?? loaded.config.routerUrl;
  if (routerUrl === undefined) {
    throw new UsageError(
      'no Model Router to read: give --router-url, SWITCHYARD_ROUTER_URL or routerUrl in switchyard.config.ts',
    );
  }
  const credential = routerCredential(io.env);
  if (credential === undefined)
    throw new UsageError('no credential for the Model Router: set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN');
  const address = httpAddress(routerUrl);
  if (!flags.offline) refusePlainHttp(address, flags.allowHttp);
  const folder = (flag: string | undefined, setting: string | undefined, fallback: string): string =>
    flag !== undefined ? resolve(io.workingFolder, flag) : resolve(loaded.folder, setting ?? fallback);
  return {
    routerUrl: address,
    credential,
    outDir: folder(flags.out, settings.out, 'generated'),
    cacheDir: folder(flags.cache, settings.cache, '.switchyard/cache'),
    specs: loaded.specs,
    packageNames: namesOf(parseScope(flags.scope ?? settings.scope ?? '@switchyard'), settings.packages),
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

function namesOf(scope: string, named: Partial<PackageNames> = {}): PackageNames {
  const names = { ...packageNamesIn(scope), ...named };
  if (new Set(Object.values(names)).size < 3)
    throw new UsageError(`the three packages need different names; got ${Object.values(names).join(', ')}`);
  return names;
}

function parseScope(text: string): string {
  if (!/^@[a-z0-9][a-z0-9._-]*$/.test(text))
    throw new UsageError(`--scope takes an npm scope such as @acme; got ${JSON.stringify(text)}`);
  return text;
}
