import { Command, Option } from 'commander';
import { type SandboxFlags, someText, wholeNumber, withSpecFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';

const examples = `
Examples:
  $ switchyard sandbox --port 4010
  $ switchyard sandbox --catalog ./my-catalog --brand Acme
  $ switchyard sandbox --fault run.rate-limit.no-retry-after
  $ switchyard sandbox --list-faults --json
  $ switchyard sandbox --db sandbox.sqlite --clock manual --log text
  $ curl -X POST -d '{"by":"25h"}' http://127.0.0.1:4010/__sandbox/clock/advance
A catalog folder holds catalog.json and models/<provider>/<model>/openapi.json.
SIGINT and SIGTERM stop it with exit code 0; 2 is wrong usage, 3 an unusable address or database.`;

export function sandboxCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withSpecFlags(new Command('sandbox'))
    .description('serve both APIs locally, with state and without billing')
    .option('--port <n>', 'port; 0 takes a free one', wholeNumber(0, 65_535), 4010)
    .option('--host <name>', 'address to listen on', someText, '127.0.0.1')
    .option('--allow-remote', 'permit a host that other machines can reach')
    .option('--catalog <dir>', 'serve this catalog and only this (default: the built-in one)', someText)
    .option('--seed <n>', 'seed of sampled outputs (default: 1)', wholeNumber(0, 2 ** 31))
    .option(
      '--db <file>',
      'keep requests, results and keys in this SQLite file over restarts (default: in memory)',
      someText,
    )
    .addOption(
      new Option('--clock <kind>', 'manual: time moves only when advanced').choices(['real', 'manual']).default('real'),
    )
    .addOption(
      new Option('--workflow-auth <kind>', 'who may call the workflow API')
        .choices(['accounts', 'static', 'optional', 'none'])
        .default('accounts'),
    )
    .addOption(
      new Option('--log <format>', 'one line per request on standard error')
        .choices(['off', 'text', 'json'])
        .default('off'),
    )
    .option('--fault <id...>', 'violate the contract by these faults')
    .option('--variant <id...>', 'behave in these allowed but unusual ways')
    .option('--list-faults', 'list the faults and exit')
    .option('--list-variants', 'list the variants and exit')
    .option('--json', 'print lists, address and credentials as JSON')
    .addHelpText('after', examples)
    .action(async (flags: SandboxFlags) => finish(await (await import('../actions/sandbox.ts')).runSandbox(flags, io)));
}
