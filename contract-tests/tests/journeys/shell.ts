import { spawn } from 'node:child_process';
import { run } from '../../../scripts/run-node.ts';

/** A shell of a user: its folder and its environment variables. */
export type Shell = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Runs a command line.
   * @returns everything that the command printed
   * @throws if the exit code or the output differs from `want`
   */
  run(line: string, want?: RunOptions): Promise<string>;
};
type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Allowed exit codes; only 0 by default. */
  readonly code?: readonly number[];
  readonly shows?: RegExp;
};

export function openShell(folder: string, env: Readonly<Record<string, string>>): Shell {
  return {
    folder,
    env,
    run: async (line, want = {}) => {
      const options = { cwd: folder, env: { ...env, ...want.env }, timeout: 180_000 };
      const { code, out, err } = await run('/bin/sh', ['-c', line], options);
      const printed = `${out}${err}`;
      if ((want.code ?? [0]).includes(code) && (want.shows ?? /(?:)/).test(printed)) return printed;
      throw new Error(`${line} ended with exit code ${code}: ${printed.slice(-2_000)}`);
    },
  };
}

/** Runs a command line that starts a server, which runs until `close` is called. */
export function serveInShell({ folder, env }: Shell, line: string): Promise<{ url: string; close(): Promise<void> }> {
  // A separate process group, so that `close` also ends the programs that a package manager starts.
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const close = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  return new Promise((done, fail) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const [, url] = /\bat (http:\/\/127\.0\.0\.1:\d+)/.exec(printed) ?? [];
        if (url !== undefined) done({ url, close });
      });
    void ended.then(() => fail(new Error(`${line} ended: ${printed.slice(-2_000)}`)));
  });
}
