import { resolve } from 'node:path';
import { Command, Option } from 'commander';
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
import type { CommandIo } from '../io.ts';
import { httpAddress, wholeNumber } from '../option-values.ts';
import { startProgress } from '../progress.ts';
import { effectiveSpecs, resolveSpecSettings, type SpecFlags, withSpecFlags } from '../spec-settings.ts';

type GenerateFlags = SpecFlags & {
  routerUrl?: string;
  out?: string;
  cache?: string;
  scope?: string;
  only?: string[];
  concurrency?: number;
  check?: boolean;
  strict?: boolean;
  allowEmpty?: boolean;
  json?: boolean;
};

const examples = `
Examples:
  $ SWITCHYARD_API_KEY=… switchyard generate --router-url https://router.example --out packages
  $ switchyard generate --only 'image-provider/*' --check
A second run asks with the entity tags it holds and touches no file when nothing changed.`;

export function generateCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withSpecFlags(new Command('generate'))
    .description('write typed packages for every model of a catalog, and for both APIs')
    .addOption(
      new Option('--router-url <url>', 'base address of the Model Router')
        .env('SWITCHYARD_ROUTER_URL')
        .argParser(httpAddress),
    )
    .option('--out <dir>', 'folder of the packages (default: generated)')
    .option('--cache <dir>', 'folder of the private snapshot cache (default: .switchyard/cache)')
    .option('--scope <@name>', 'npm scope of the packages (default: @switchyard)')
    .option('--only <glob...>', 'only models whose id matches')
    .option('--concurrency <n>', 'requests at once (default: 8)', wholeNumber(1, 64))
    .option('--check', 'write nothing; exit 1 when a write is due')
    .option('--strict', 'exit 1 when any model could not be generated')
    .option('--allow-empty', 'accept an empty catalog')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examples)
    .action(async (flags: GenerateFlags) => finish(await run(flags, io)));
}

async function run(flags: GenerateFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const config = await resolveGenerateConfig(flags, loaded, io);
  const progress = startProgress(io);
  try {
    const report = await generate(config, nodePorts(), ({ phase, done, total, model }) =>
      progress.step(
        `${phase}${total === undefined ? '' : ` ${done}/${total}`}${io.isTerminal && model !== undefined ? ` ${model}` : ''}`,
      ),
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
    allowEmpty: flags.allowEmpty ?? settings.allowEmpty ?? false,
  };
}

function parseScope(text: string): string {
  if (!/^@[a-z0-9][a-z0-9._-]*$/.test(text))
    throw new UsageError(`--scope takes an npm scope such as @acme; got ${JSON.stringify(text)}`);
  return text;
}
