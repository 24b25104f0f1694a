import { Command } from 'commander';
import { startMock } from '../../../contract-tests/src/index.ts';
import { CommandFailure } from '../command-error.ts';
import { loadConfig } from '../config-file.ts';
import type { CommandIo } from '../io.ts';
import { wholeNumber } from '../option-values.ts';
import { effectiveSpecs, resolveSpecSettings, type SpecFlags, withSpecFlags } from '../spec-settings.ts';

type MockFlags = SpecFlags & { port: number; json?: boolean };

export function mockCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withSpecFlags(new Command('mock'))
    .description('serve the examples of both documents with Prism, without state')
    .option(
      '--port <n>',
      'port of the Model Router; the Workflow Execution API takes the next one; 0 takes free ones',
      wholeNumber(0, 65_534),
      4020,
    )
    .option('--json', 'print the addresses as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  $ switchyard mock\n  $ switchyard mock --brand Acme --port 0 --json\n  $ curl -H 'X-API-Key: any' -H 'Prefer: code=404' http://127.0.0.1:4020/v2/models/image-provider/any",
    )
    .action(async (flags: MockFlags) => finish(await run(flags, io)));
}

async function run(flags: MockFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const specs = await effectiveSpecs(resolveSpecSettings(flags, loaded, io.workingFolder));
  const mock = await startMock(specs, { port: flags.port }).catch((error: unknown) => {
    throw new CommandFailure('the mock did not start', { cause: error });
  });
  const { routerUrl, workflowUrl } = mock;
  io.out(
    flags.json
      ? `${JSON.stringify({ routerUrl, workflowUrl })}\n`
      : `Model Router mock at ${io.style('good', routerUrl)}\nWorkflow Execution API mock at ${io.style('good', workflowUrl)}\nAny credential is accepted; Prefer: code=404 asks for that answer. Stop with Ctrl-C.\n`,
  );
  await io.stopRequested();
  await mock.close();
  return 0;
}
