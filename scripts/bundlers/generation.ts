import { type Generated, generateOnce, renderGenerated } from '../cli/actions/generate.ts';
import { runVerify } from '../cli/actions/verify.ts';
import { summariseGenerated, watch } from '../cli/actions/watch.ts';
import { describeError } from '../cli/errors.ts';
import type { GenerateFlags } from '../cli/flags.ts';
import { asShown, type CommandIo, commandLine } from '../cli/io.ts';
import { type GenerateOptions, pickFlags, silentIo } from '../cli/library-commands.ts';

/** As those of `generate`: what is left out comes from environment, `switchyard.config.ts` and defaults. */
export type SwitchyardPluginOptions = Omit<GenerateOptions, 'check' | 'frozen'> & {
  /**
   * Writes nothing, and fails the build where the output is not as it would be generated now (`true`, as `generate --check`) or not
   * as its lockfile says (`lockfile`, as `verify`: without credential and network). The flag `--frozen` of `generate` is another: it
   * builds what the lockfile names.
   */
  readonly frozen?: boolean | 'lockfile';
  /** In development: seconds between two looks at the router, by default 60; `false` generates at the start alone. */
  readonly watch?: number | false;
};

/** `unknown`: of a bundler that does not say whether it builds once. */
export type Mode = 'build' | 'development' | 'unknown';

/**
 * Generates, or checks, and rejects where a build has to fail. In development failures are written and the build goes on
 * with the output that is there; it is generated again until the signal aborts.
 */
export async function begin(options: SwitchyardPluginOptions, mode: Mode, signal: AbortSignal): Promise<void> {
  const io = silentIo(options);
  const { frozen = false, watch: seconds, ...others } = options;
  const given = pickFlags(others);
  if (frozen === 'lockfile') return verify(given, io);
  const flags: GenerateFlags = { ...given, ...(typeof seconds === 'number' ? { watch: seconds } : {}) };
  const first = generateOnce({ ...flags, check: frozen }, io);
  const here = options.folder === undefined ? '' : `${commandLine(['cd', options.folder])} && `;
  const sound = orFail(first, here, io);
  const isTolerant = mode === 'development' && !frozen;
  if (mode === 'build' || frozen || seconds === false) {
    const told = sound.then((generated) => writeNews(generated, io));
    return isTolerant ? told.catch((error: Error) => write(`${error.message}\n`, io)) : told;
  }
  await (isTolerant ? sound.catch(() => {}) : sound); // the watch writes the failure
  const written = { out: (text: string) => write(text, io), err: (text: string) => writeAsIs(text, io) };
  void watch(flags, { ...io, ...written }, { first, signal, keepsAlive: false });
}

async function verify({ out, config }: GenerateFlags, io: CommandIo): Promise<void> {
  let found = '';
  const collect = (text: string): void => {
    found += text;
  };
  const code = await runVerify(config === undefined ? {} : { config }, { ...io, out: collect }, out);
  if (code !== 0) throw buildFailure(found, io);
}

/** Without cause and stack, which a bundler would print as they are: the text says what to do. */
function buildFailure(text: string, io: CommandIo): Error {
  const failure = new Error(asShown(text, io).trimEnd());
  // A bundler prints the message and then the stack, from which it removes these first lines.
  failure.stack = `${failure.name}: ${failure.message}\n`;
  return failure;
}

/** `here` leads to the folder in which the mending command has to run. */
async function orFail(generating: Promise<Generated>, here: string, io: CommandIo): Promise<Generated> {
  const generated = await generating.catch((error: unknown) => {
    throw buildFailure(describeError(error), io);
  });
  const { code, mend, failure } = generated;
  if (code !== 0) {
    const text = renderGenerated(mend === undefined ? generated : { ...generated, mend: here + mend });
    throw buildFailure(`${text}${failure?.message ?? ''}`, io);
  }
  return generated;
}

function writeNews(generated: Generated, io: CommandIo): void {
  const { models, changed } = generated.report;
  if (models.failed > 0) write(renderGenerated(generated), io);
  else if (changed) write(summariseGenerated(generated), io);
}

function write(text: string, io: CommandIo): void {
  writeAsIs(`switchyard: ${text}`, io);
}

function writeAsIs(text: string, io: CommandIo): void {
  process.stderr.write(asShown(text, io));
}
