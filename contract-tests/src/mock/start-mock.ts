import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { startTimer } from '../adapters/system-clock.ts';
import { HarnessError } from '../errors.ts';
import type { MockNews, MockOrder } from './prism-child.ts';

export type Mock = {
  readonly routerUrl: string;
  readonly workflowUrl: string;
  close(): Promise<void>;
};
/** `port`: the router's; the workflow API gets the next one. Default: free ports. */
export type MockOptions = { readonly port?: number; readonly startWithinMs?: number };

/** Prism in a child process, serving both effective documents. Throws `HarnessError` when it does not start. */
export async function startMock(specs: EffectiveSpecs, options: MockOptions = {}): Promise<Mock> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const child = fork(fileURLToPath(new URL(`./prism-child.${ending}`, import.meta.url)), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  const ports = options.port === undefined || options.port === 0 ? [0, 0] : [options.port, options.port + 1];
  const order: MockOrder = { documents: [specs.modelRouter, specs.workflowExecution], ports };
  try {
    const [routerUrl, workflowUrl] = await urlsOf(child, order, options.startWithinMs ?? 30_000);
    if (routerUrl === undefined || workflowUrl === undefined) throw new HarnessError('the mock named no address');
    return { routerUrl, workflowUrl, close: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function urlsOf(child: ChildProcess, order: MockOrder, withinMs: number): Promise<readonly string[]> {
  const complaints: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk));
  return new Promise((resolve, reject) => {
    const fail = (because: string): void => {
      stopTimer();
      const said = Buffer.concat(complaints).toString().trim().split('\n').at(-1) ?? '';
      reject(new HarnessError(`the mock did not start: ${because}${said === '' ? '' : ` (${said})`}`));
    };
    const stopTimer = startTimer(withinMs, () => fail(`not ready within ${withinMs} ms`));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(`its process ended with ${signal ?? code}`));
    child.once('message', (news: MockNews) => {
      if (news.kind === 'failed') return fail(news.because);
      stopTimer();
      resolve(news.urls);
    });
    child.send(order);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL'); // it holds nothing worth saving
  await ended;
}
