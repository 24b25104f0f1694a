import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createSandbox, listen, sandboxCredentials, sandboxJobs } from '../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, packageRoot } from '../specs/src/index.ts';

// An independent runner reads the lifecycles and executes them against the sandbox: it shares no code with either.
const root = packageRoot();
const lifecycles = join(root, 'specs', 'workflows.arazzo.yaml');

function redocly(args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  const cli = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  return new Promise((done) => {
    let output = '';
    const child = spawn(process.execPath, [cli, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(output);
      done(code === 0);
    });
  });
}

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
