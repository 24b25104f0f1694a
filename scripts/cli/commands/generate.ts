import { Command, Option } from 'commander';
import { type GenerateFlags, httpAddress, wholeNumber, withSpecFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';

const examples = `
Examples:
  $ SWITCHYARD_API_KEY=… switchyard generate --router-url https://router.example --out packages
  $ switchyard generate --only 'image-provider/*' --check
  $ switchyard generate --frozen --offline
A second run sends the entity tags it holds, and touches no file when nothing changed.`;

export function generateCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withGenerateFlags(new Command('generate'))
    .description('write typed packages for every model of a catalog, and for both APIs')
    .option('--out <dir>', 'folder of the packages (default: generated)')
    .option('--check', 'write nothing; exit 1 when a write is due')
    .option('--strict', 'exit 1 when any model could not be generated')
    .addHelpText('after', examples)
    .action(async (flags: GenerateFlags) =>
      finish(await (await import('../actions/generate.ts')).runGenerate(flags, io)),
    );
}

/** The options that decide which output a run makes; `diff` has them too. */
export function withGenerateFlags(command: Command): Command {
  return withSpecFlags(command)
    .addOption(
      new Option('--router-url <url>', 'base address of the Model Router')
        .env('SWITCHYARD_ROUTER_URL')
        .argParser(httpAddress),
    )
    .option('--cache <dir>', 'folder of the private document cache (default: .switchyard/cache)')
    .option('--scope <@name>', 'npm scope of the packages (default: @switchyard)')
    .option('--only <glob...>', 'only models whose id matches')
    .option('--concurrency <n>', 'requests at once (default: 8)', wholeNumber(1, 64))
    .option('--frozen', 'build exactly what switchyard.lock.json names, or fail')
    .option('--offline', 'send no request; read the cache alone')
    .option('--output-validators', 'also make validators of outputs')
    .option('--types-only', 'leave out validators and schemas as data')
    .option('--allow-empty', 'accept an empty catalog')
    .option('--json', 'print the report as JSON');
}
