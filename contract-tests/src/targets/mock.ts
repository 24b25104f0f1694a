import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import { startTimer } from '../wire/system-clock.ts';

/**
 * Serves both effective documents with Prism, each in its own child process. `port`: port of the router; the workflow
 * API gets the next one. Default: free ports. Throws `HarnessError` if a process does not start.
 */
export async function startMock(specs: EffectiveSpecs, { port = 0, startWithinMs = 30_000 } = {}) {
  const cli = findPrism();
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-mock-'));
  const documents = {
    [join(folder, 'router.json')]: specs.modelRouter,
    [join(folder, 'workflow.json')]: specs.workflowExecution,
  };
  for (const [path, document] of Object.entries(documents)) await writeFile(path, JSON.stringify(document));
  const children = Object.keys(documents).map((path, index) => startPrism(cli, path, port === 0 ? 0 : port + index));
  const close = async (): Promise<void> => void (await Promise.all(children.map(end)));
  try {
    const [routerUrl = '', workflowUrl = ''] = await Promise.all(
      children.map((child) => awaitAddress(child, startWithinMs)),
    );
    return { routerUrl, workflowUrl, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Finds Prism, an optional peer dependency: next to this package, then in the project that uses it. */
function findPrism(): string {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const cli = createRequire(from).resolve('@stoplight/prism-cli');
      refuseOldNode(createRequire(cli)('../package.json'), process.version);
      return cli;
    } catch (error) {
      if (error instanceof HarnessError) throw error; // Any other error means that Prism is not installed here.
    }
  }
  throw new HarnessError('the mock needs Prism: npm install --save-dev @stoplight/prism-cli@5.16.0');
}

export function refuseOldNode({ engines }: { engines?: { node?: string } }, version: string): void {
  const [, ...wanted] = /^>=\s*(\d+)\.(\d+)/.exec(engines?.node ?? '') ?? [];
  const [major = 0, minor = 0] = wanted.map(Number);
  const [ownMajor = 0, ownMinor = 0] = version.replace('v', '').split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  throw new HarnessError(
    `the mock needs Prism, which needs Node ${major}.${minor} or newer; this is ${version}. Use a newer Node, or the sandbox instead of the mock.`,
  );
}

// Loaded before Prism. If the parent is killed, it cannot end its children, so they exit when their channel closes. Bugs
// in Prism can cause unhandled rejections, which must not end the server.
const preload = `
  import { subscribe } from 'node:diagnostics_channel';
  process.on('disconnect', () => process.exit());
  process.on('unhandledRejection', () => undefined);
  subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => process.send({ port: server.address().port }));
  subscribe('tracing:net.server.listen:error', ({ error }) => process.send({ problem: error.message }));`;

function startPrism(cli: string, document: string, port: number): ChildProcess {
  const args = ['mock', document, '--host', '127.0.0.1', '--port', String(port), '--cors', 'false'];
  return fork(cli, [...args, '--verboseLevel', 'silent'], {
    env: {},
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function awaitAddress(child: ChildProcess, withinMs: number): Promise<string> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    const fail = (because: string): void => {
      stopTimer();
      reject(new HarnessError(`the mock did not start: ${because}`));
    };
    const stopTimer = startTimer(withinMs, () => fail(`not ready within ${withinMs} ms`));
    child.once('error', (error) => fail(error.message));
    child.once('close', (code, signal) => {
      fail(`its process exited with ${signal ?? code}: ${stderr.trim().split('\n').at(-1)}`);
    });
    child.once('message', (message: { port: number } | { problem: string }) => {
      if ('problem' in message) return fail(message.problem);
      stopTimer();
      resolve(`http://127.0.0.1:${message.port}`);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL'); // The process has nothing to save.
  await ended;
}
