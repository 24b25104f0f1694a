import { execFile } from 'node:child_process';

export type RunOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the process is killed. */
  readonly timeout?: number;
};

export type RunResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a JavaScript file with this Node and collects its output. */
export function runNode(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run(process.execPath, command, options);
}

/** Runs any program and collects its output without colours; never rejects. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { env = {}, ...rest } = options;
  const settings = { ...rest, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: Number.POSITIVE_INFINITY };
  return new Promise((done) => {
    const child = execFile(program, args, settings, (error, out, err) => {
      // If `code` is a string, the program could not be started.
      if (typeof error?.code === 'string') done({ code: 1, out, err: `${err}${error.message}\n` });
      else done({ code: error === null ? 0 : (error.code ?? 1), out, err });
    });
    child.stdin?.on('error', () => {}).end();
  });
}
