import { join } from 'node:path';
import { sandboxCredentials, sandboxJobs } from '../sandbox/src/index.ts';
import { packageRoot } from '../specs/src/index.ts';
import { passes } from './run-node.ts';
import { withSandbox } from './with-sandbox.ts';

// Another project's Arazzo runner lints the lifecycles and executes them against the sandbox.
const lifecycles = join(packageRoot(), 'specs', 'workflows.arazzo.yaml');

function redocly(args: readonly string[]): Promise<boolean> {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return passes(['node_modules/@redocly/cli/bin/cli.js', ...args], env);
}

function execute(): Promise<boolean> {
  const inputs = {
    apiKey: sandboxCredentials.router.main,
    token: sandboxCredentials.workflow.main,
    jobId: sandboxJobs.save,
  };
  return withSandbox(({ url }) =>
    redocly([
      'respect',
      lifecycles,
      ...['modelRouter', 'workflowExecution'].flatMap((name) => ['--server', `${name}=${url}`]),
      ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
    ]),
  );
}

const passed = (await redocly(['lint', lifecycles])) && (await execute());
process.stdout.write(`lifecycles: ${passed ? 'executed' : 'failed'}\n`);
process.exitCode = passed ? 0 : 1;
