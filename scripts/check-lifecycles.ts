import { join } from 'node:path';
import { createSandbox, listen, sandboxCredentials, sandboxJobs } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, packageRoot } from '../specs/src/index.ts';
import { runTool } from './run-tool.ts';

// An independent runner reads the lifecycles and executes them against the sandbox: it shares no code with either.
const lifecycles = join(packageRoot(), 'specs', 'workflows.arazzo.yaml');

const redocly = (args: readonly string[]): Promise<boolean> =>
  runTool({ packageName: '@redocly/cli', file: 'bin/cli.js' }, args, {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  });

async function execute(): Promise<boolean> {
  const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings) });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const inputs = {
    apiKey: sandboxCredentials.router.main,
    token: sandboxCredentials.workflow.main,
    jobId: sandboxJobs.save,
  };
  try {
    return await redocly([
      'respect',
      lifecycles,
      ...['modelRouter', 'workflowExecution'].flatMap((name) => ['--server', `${name}=${server.url}`]),
      ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
    ]);
  } finally {
    await server.close();
    sandbox.close();
  }
}

const passed = (await redocly(['lint', lifecycles])) && (await execute());
process.stdout.write(`lifecycles: ${passed ? 'executed' : 'failed'}\n`);
process.exitCode = passed ? 0 : 1;
