import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxCredentials, sandboxJobs } from '../../sandbox/src/index.ts';
import { type RunResult, runNode } from '../../scripts/run-node.ts';
import { withSandbox } from '../../scripts/tests/with-sandbox.ts';
import { packageRoot } from '../../specs/src/index.ts';

const lifecycles = join(packageRoot(), 'specs', 'workflows.arazzo.yaml');

function redocly(...words: readonly string[]): Promise<RunResult> {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return runNode(['node_modules/@redocly/cli/bin/cli.js', ...words], { cwd: packageRoot(), env });
}

test('Redocly finds no problem in the two documents', async () => {
  const documents = ['model-router', 'workflow-execution'].map((name) => `specs/${name}.openapi.yaml`);
  expect(await redocly('lint', '--extends', 'recommended', ...documents)).toMatchObject({ code: 0 });
});

test('Redocly validates specs/workflows.arazzo.yaml and executes its workflows against the sandbox', async () => {
  expect(await redocly('lint', lifecycles)).toMatchObject({ code: 0 });
  const inputs = {
    apiKey: sandboxCredentials.router.main,
    token: sandboxCredentials.workflow.main,
    jobId: sandboxJobs.save,
  };
  const executed = await withSandbox(({ url }) =>
    redocly(
      'respect',
      lifecycles,
      ...['modelRouter', 'workflowExecution'].flatMap((name) => ['--server', `${name}=${url}`]),
      ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
    ),
  );
  expect(executed).toMatchObject({ code: 0 });
});
