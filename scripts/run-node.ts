import { spawn } from 'node:child_process';

export type RunOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the process is killed. */
  readonly timeout?: number;
};

export type RunResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a JavaScript file under this Node and collects its output. */
export function runNode(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run(process.execPath, command, options);
}

/** Runs any program and collects its output, without colour; never rejects. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { env = {}, ...rest } = options;
  return new Promise((done) => {
    const written = { out: '', err: '' };
    const child = spawn(program, args, {
      ...rest,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', ...env },
    });
    for (const [stream, name] of [
      [child.stdout, 'out'],
      [child.stderr, 'err'],
    ] as const) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        written[name] += text;
      });
    }
    child.on('error', (error) => done({ ...written, code: 1, err: `${written.err}${error.message}\n` }));
    child.on('close', (code) => done({ ...written, code: code ?? 1 }));
  });
}
