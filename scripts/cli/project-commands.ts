import { Command, Option } from 'commander';
import {
  allowHttpFlag,
  configFlag,
  type DoctorFlags,
  type InitFlags,
  layoutFlag,
  routerFlag,
  someText,
  type VerifyFlags,
} from './flags.ts';
import type { CommandIo } from './io.ts';

// The commands of a person at a project, which need no specifications.

const initExamples = `
Examples:
  $ switchyard init
  $ switchyard init --router-url https://router.example --scope @acme --ci github --yes
It shows every change first. Without a terminal it writes only with --yes; a file of yours is replaced only with --force.`;

export function initCommand(io: CommandIo, finish: (code: number) => void): Command {
  return new Command('init')
    .description('wire the generator into this folder: configuration, scripts, ignore files and CI')
    .addOption(routerFlag())
    .option('--out <dir>', 'folder of the generated files (default: generated)', someText)
    .option('--scope <@name>', 'npm scope of the packages (default: that of package.json, in a workspace)')
    .addOption(layoutFlag())
    .addOption(
      new Option('--ci <kind>', 'CI file to write (default: what the folder uses)').choices([
        'github',
        'gitlab',
        'none',
      ]),
    )
    .option('--yes', 'write without asking')
    .option('--force', 'replace files that exist and differ')
    .addHelpText('after', initExamples)
    .action(async (flags: InitFlags) => finish(await (await import('./actions/init.ts')).runInit(flags, io)));
}

const verifyExamples = `
Examples:
  $ switchyard verify
  $ switchyard verify packages --json
It needs no credential, cache or network, so that it also runs for pull requests from forks. It finds accidents, not
tampering: who edits a file and the lockfile is not noticed. generate --check, run where there is a credential, notices both.`;

export function verifyCommand(io: CommandIo, finish: (code: number) => void): Command {
  return new Command('verify')
    .description('compare generated files with their lockfile alone')
    .argument('[folder]', 'output folder of generate (default: that of the configuration)')
    .addOption(configFlag())
    .option('--json', 'print the result as JSON')
    .addHelpText('after', verifyExamples)
    .action(async (folder: string | undefined, flags: VerifyFlags) =>
      finish(await (await import('./actions/verify.ts')).runVerify(folder, flags, io)),
    );
}

export function doctorCommand(io: CommandIo, finish: (code: number) => void): Command {
  return new Command('doctor')
    .description('check what generate depends on: configuration, credential, router, proxy, clock, cache and output')
    .addOption(configFlag())
    .addOption(routerFlag())
    .addOption(allowHttpFlag())
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard doctor\n  $ switchyard doctor --router-url https://router.example --json',
    )
    .action(async (flags: DoctorFlags) => finish(await (await import('./actions/doctor.ts')).runDoctor(flags, io)));
}
