import { startMock } from '../../../contract-tests/src/index.ts';
import type { Flags } from '../commands.ts';
import type { CommandIo } from '../io.ts';
import { loadSettings } from '../load-settings.ts';

export async function runMock(flags: Flags<'mock'>, io: CommandIo): Promise<number> {
  const { specs } = await loadSettings(flags, io);
  const mock = await startMock(specs, { port: flags.port ?? 4020 });
  const { routerUrl, workflowUrl } = mock;
  io.out(
    flags.json
      ? `${JSON.stringify({ routerUrl, workflowUrl })}\n`
      : `Model Router mock at ${io.style('good', routerUrl)}\nWorkflow Execution API mock at ${io.style('good', workflowUrl)}\nAny credential is accepted. To request a specific response, send a header such as Prefer: code=404. Stop with Ctrl-C.\n`,
  );
  await io.stopRequested();
  await mock.close();
  return 0;
}
