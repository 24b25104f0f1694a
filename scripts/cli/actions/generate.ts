import { resolve } from 'node:path';
import {
  type GenerateConfig,
  type GenerationReport,
  generate,
  nodePorts,
  renderReport,
} from '../../../generator/src/index.ts';
import { UsageError } from '../command-error.ts';
import { type LoadedConfig, loadConfig } from '../config-file.ts';
import { routerCredential } from '../credentials.ts';
import type { GenerateFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { httpAddress } from '../option-values.ts';
import { startProgress } from '../progress.ts';
import { effectiveSpecs, resolveSpecSettings } from '../spec-settings.ts';

export async function runGenerate(flags: GenerateFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const config = await resolveGenerateConfig(flags, loaded, io);
  const progress = startProgress(io);
  try {
    const report = await generate(config, nodePorts(), ({ phase, done, total, model }) =>
      progress.step(phase, [total === undefined ? '' : `${done}/${total}`, model].filter(Boolean).join(' ')),
    );
    progress.end();
    io.out(flags.json ? `${JSON.stringify(report)}\n` : renderReport(report));
    return exitCode(report, {
      check: flags.check === true,
      strict: flags.strict ?? loaded.config.generate?.strict ?? false,
    });
  } finally {
    progress.end();
  }
}

function exitCode(report: GenerationReport, mode: { check: boolean; strict: boolean }): number {
  const incomplete = mode.strict && report.models.failed > 0;
  return incomplete || (mode.check && report.changed) || report.refused.length > 0 ? 1 : 0;
}

async function resolveGenerateConfig(
  flags: GenerateFlags,
  loaded: LoadedConfig,
  io: CommandIo,
): Promise<GenerateConfig> {
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
  const folder = (flag: string | undefined, setting: string | undefined, fallback: string): string =>
    flag !== undefined ? resolve(io.workingFolder, flag) : resolve(loaded.folder, setting ?? fallback);
  return {
    routerUrl: httpAddress(routerUrl),
    credential,
    outDir: folder(flags.out, settings.out, 'generated'),
    cacheDir: folder(flags.cache, settings.cache, '.switchyard/cache'),
    specs: await effectiveSpecs(resolveSpecSettings(flags, loaded, io.workingFolder)),
    scope: parseScope(flags.scope ?? settings.scope ?? '@switchyard'),
    only: flags.only ?? settings.only ?? [],
    concurrency: flags.concurrency ?? settings.concurrency ?? 8,
    mode: flags.check ? 'check' : 'write',
    source: flags.offline ? 'offline' : 'network',
    frozen: flags.frozen ?? false,
    allowEmpty: flags.allowEmpty ?? settings.allowEmpty ?? false,
  };
}

function parseScope(text: string): string {
  if (!/^@[a-z0-9][a-z0-9._-]*$/.test(text))
    throw new UsageError(`--scope takes an npm scope such as @acme; got ${JSON.stringify(text)}`);
  return text;
}
