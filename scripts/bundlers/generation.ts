import { existsSync } from 'node:fs';
import { renderGeneration, runGenerate } from '../cli/actions/generate.ts';
import { runVerify } from '../cli/actions/verify.ts';
import { describeError } from '../cli/errors.ts';
import { type CommandIo, quoteCommand, toConsoleText } from '../cli/io.ts';
import { createSilentIo, type GenerateOptions } from '../cli/library-commands.ts';
import { listConfigFiles, loadConfig } from '../cli/load-settings.ts';

/** Options of the plugin. Omitted options come from the environment, `switchyard.config.ts` and defaults. */
export type SwitchyardPluginOptions = Omit<GenerateOptions, 'check' | 'frozen'> & {
  /**
   * Write nothing, and fail the build if the output is outdated. `true`: compare with what would be generated now, like
   * `generate --check`. `lockfile`: compare with the lockfile, like `verify`, without credential and network. Not to be
   * confused with the flag `--frozen` of `generate`.
   */
  readonly frozen?: boolean | 'lockfile';
};

export type Mode = 'build' | 'development';

/** Generates or checks the packages. Rejects if the build must fail. In development, only prints failures and keeps the last output. */
export async function generateForBuild(options: SwitchyardPluginOptions, mode: Mode): Promise<void> {
  const io = createSilentIo(options);
  const { frozen = false, folder, apiKey, token, ...flags } = options;
  const write = (text: string) => process.stderr.write(toConsoleText(`switchyard: ${text}`, io));
  if (frozen === 'lockfile') {
    const { code, text } = await runVerify({ config: flags.config }, io, flags.out);
    if (code !== 0) throw createBuildError(await text(), io);
    return;
  }
  try {
    const generated = await runGenerate({ ...flags, check: frozen }, io).catch((error: unknown) => {
      throw createBuildError(describeError(error), io);
    });
    const { code, mend, failure, report } = generated;
    // The command that repairs the output must run in the plugin's folder.
    const here = folder === undefined ? '' : `${quoteCommand(['cd', folder])} && `;
    const text = renderGeneration(report, mend && here + mend);
    if (code !== 0 || failure !== undefined) throw createBuildError(`${text}${failure?.message ?? ''}`, io);
    const { models, files, changed } = report;
    if (models.failed > 0) write(text);
    else if (changed)
      write(
        `${new Date().toTimeString().slice(0, 8)} models: ${models.generated}; files: ${files.created} created, ${files.replaced} replaced, ${files.removed} removed\n`,
      );
  } catch (error) {
    if (mode === 'build' || frozen) throw error;
    write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** Lists the configuration file and the overlays. If one of them changes, the packages must be generated again. */
export async function listSettingsFiles(options: SwitchyardPluginOptions): Promise<readonly string[]> {
  const io = createSilentIo(options);
  const flags = { config: options.config, overlay: options.overlay };
  const present = listConfigFiles(flags, io).filter((file) => existsSync(file));
  return loadConfig(flags, io).then(
    ({ config }) => [...present, ...config.overlays],
    () => present,
  );
}

/** Returns an error without cause and stack, which bundlers would print. The message already contains the advice. */
function createBuildError(text: string, io: CommandIo): Error {
  const failure = new Error(toConsoleText(text, io).trimEnd());
  // Bundlers print the message and then the stack without these first lines.
  failure.stack = `${failure.name}: ${failure.message}\n`;
  return failure;
}
