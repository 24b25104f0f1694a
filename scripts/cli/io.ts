import { styleText } from 'node:util';

/** The process as a command sees it; tests pass their own. */
export type CommandIo = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** True when standard error is a terminal and `CI` is not set. */
  readonly isTerminal: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Colours text, except under `NO_COLOR` or without a terminal. */
  readonly style: (style: Style, text: string) => string;
  /** Settles at the first SIGINT or SIGTERM. */
  stopRequested(): Promise<void>;
};

export type Style = 'good' | 'bad' | 'dim' | 'strong' | 'warn';

export type ProcessIo = CommandIo & { readonly argv: readonly string[]; setExitCode(code: number): void };

const formats = { good: 'green', bad: 'red', dim: 'dim', strong: 'bold', warn: 'yellow' } as const satisfies Record<
  Style,
  string
>;

/** The io of this process. */
export function processIo(): ProcessIo {
  ignoreClosedPipes([process.stdout, process.stderr]);
  return {
    argv: process.argv.slice(2),
    env: process.env,
    workingFolder: process.cwd(),
    isTerminal: process.stderr.isTTY === true && process.env['CI'] === undefined,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    style: (style, text) => styleText(formats[style], text, { stream: process.stdout }),
    stopRequested: () =>
      new Promise((stop) => {
        process.once('SIGINT', () => stop());
        process.once('SIGTERM', () => stop());
      }),
    setExitCode: (code) => {
      process.exitCode = code;
    },
  };
}

// `switchyard … | head` closes the pipe early; that is no failure.
function ignoreClosedPipes(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

/** `detail` changes often and is shown on a terminal only. */
type ProgressDisplay = { step(phase: string, detail?: string): void; end(): void };

/** Shows the progress of a task until it ends: a spinner on a terminal, else one line per phase; both on standard error. */
export async function withProgress<T>(io: CommandIo, task: (progress: ProgressDisplay) => Promise<T>): Promise<T> {
  const progress = await startProgress(io);
  try {
    return await task(progress);
  } finally {
    progress.end();
  }
}

async function startProgress(io: CommandIo): Promise<ProgressDisplay> {
  if (!io.isTerminal) return plainLines(io);
  const { default: yoctoSpinner } = await import('yocto-spinner');
  const spinner = yoctoSpinner().start();
  return {
    step: (phase, detail) => {
      spinner.text = detail === undefined ? phase : `${phase} ${detail}`;
    },
    end: () => void spinner.stop(),
  };
}

function plainLines(io: CommandIo): ProgressDisplay {
  let last = '';
  return {
    step: (phase) => {
      if (phase !== last) io.err(`${phase} …\n`);
      last = phase;
    },
    end: () => {},
  };
}
