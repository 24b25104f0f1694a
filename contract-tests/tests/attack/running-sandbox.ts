import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Checkout, Flag } from './checkout.ts';
import { killGroup } from './run-child.ts';

export type RunningSandbox = {
  url: string;
  pid: number /** Credentials that it accepts. */;
  key: string;
  token: string;
  err(): string;
  isUp(): boolean;
  close(): Promise<void>;
};

const startMs = 60_000;

/** Starts a checkout's sandbox in a process of its own; `close` kills it without a warning. */
export async function openSandbox(
  checkout: Checkout,
  folder: string,
  flags: readonly Flag[] = [],
): Promise<RunningSandbox> {
  mkdirSync(folder, { recursive: true });
  const args = checkout.args('sandbox', [['--port', '0'], '--json', ...flags]);
  const child = spawn(process.execPath, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-100_000);
  });
  const close = async (): Promise<void> => {
    killGroup(child);
    await ended;
  };
  const line = await new Promise<string | undefined>((done) => {
    createInterface({ input: child.stdout }).once('line', done);
    void ended.then(() => done(undefined));
    setTimeout(() => done(undefined), startMs).unref();
  });
  if (line === undefined) {
    await close();
    throw new Error(`the sandbox did not start: ${err.slice(0, 500)}`);
  }
  const { url, credentials }: { url: string; credentials: { router: { main: string }; workflow: { main: string } } } =
    JSON.parse(line);
  return {
    url,
    pid: child.pid ?? 0,
    key: credentials.router.main,
    token: credentials.workflow.main,
    err: () => err,
    isUp: () => child.exitCode === null && child.signalCode === null,
    close,
  };
}
