import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import {
  type ConformanceReport,
  exitCodeOf,
  listRules,
  renderText,
  runWithVitest,
} from '../../../contract-tests/src/index.ts';
import { loadConfig } from '../config-file.ts';
import { type ConformFlags, openTarget } from '../conform-target.ts';
import type { CommandIo } from '../io.ts';
import { httpAddress } from '../option-values.ts';
import { startProgress } from '../progress.ts';
import { effectiveSpecs, resolveSpecSettings, withSpecFlags } from '../spec-settings.ts';

const examples = `
Examples:
  $ switchyard conform                                   the sandbox, started for the run
  $ switchyard conform --target mock                     Prism, both documents
  $ switchyard conform --target sandbox --fault ID       see a rule bite
  $ SWITCHYARD_API_KEY=… switchyard conform --router-url https://router.example
A real address gets rules that cost nothing: none that runs or queues a model.
Reports: result.json and junit.xml in the folder of --out.`;

export function conformCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withSpecFlags(new Command('conform'))
    .description('judge a target against the contract')
    .addOption(
      new Option('--target <kind>', 'what is judged (default: live with an address, else sandbox)').choices([
        'mock',
        'sandbox',
        'live',
      ]),
    )
    .addOption(
      new Option('--router-url <url>', 'base address of a Model Router that runs')
        .env('SWITCHYARD_ROUTER_URL')
        .argParser(httpAddress),
    )
    .addOption(
      new Option('--workflow-url <url>', 'base address of a Workflow Execution API that runs')
        .env('SWITCHYARD_WORKFLOW_URL')
        .argParser(httpAddress),
    )
    .option('--fault <id...>', 'faults of the sandbox started for the run')
    .option('--variant <id...>', 'variants of the sandbox started for the run')
    .option('--rule <glob...>', 'only rules whose id matches, with what they need')
    .option('--list-rules', 'list the rules and exit')
    .option('--out <dir>', 'folder of the reports (default: .switchyard/conform)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(async (flags: ConformFlags) => finish(await run(flags, io)));
}

async function run(flags: ConformFlags, io: CommandIo): Promise<number> {
  if (flags.listRules) return showRules(flags, io);
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const specs = await effectiveSpecs(resolveSpecSettings(flags, loaded, io.workingFolder));
  const outDir =
    flags.out === undefined
      ? resolve(loaded.folder, loaded.config.conform?.out ?? '.switchyard/conform')
      : resolve(io.workingFolder, flags.out);
  const rules = flags.rule ?? loaded.config.conform?.rules;
  const progress = startProgress(io);
  progress.step('starting the target');
  const opened = await openTarget({ flags, config: loaded.config, specs }, io).catch((error: unknown) => {
    progress.end();
    throw error;
  });
  try {
    progress.step(`judging ${opened.description}`);
    const report = await runWithVitest(
      { target: opened.target, specs, ...(rules === undefined ? {} : { rules }) },
      { outDir },
    );
    progress.end();
    io.out(flags.json ? `${JSON.stringify(report)}\n` : summary(report, outDir, io));
    return exitCodeOf(report);
  } finally {
    progress.end();
    await opened.close();
  }
}

function summary(report: ConformanceReport, outDir: string, io: CommandIo): string {
  return `${renderText(report)}\n${io.style('dim', `report: ${join(outDir, 'result.json')} and junit.xml`)}\n`;
}

function showRules(flags: ConformFlags, io: CommandIo): number {
  const rules = listRules();
  io.out(
    flags.json
      ? `${JSON.stringify(rules, null, 2)}\n`
      : rules
          .map(
            (rule) =>
              `${io.style('strong', rule.id)}  ${io.style('dim', `${rule.cost} ${rule.requirements.join(' ')}`)}\n`,
          )
          .join(''),
  );
  return 0;
}
