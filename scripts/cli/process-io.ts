import { styleText } from 'node:util';
import type { CommandIo, Style } from './io.ts';

export type ProcessIo = CommandIo & { readonly argv: readonly string[]; setExitCode(code: number): void };

const formats = { good: 'green', bad: 'red', dim: 'dim', strong: 'bold', warn: 'yellow' } as const satisfies Record<
  Style,
  string
>;

/** The one place where commands meet this process. */
export function processIo(): ProcessIo {
  outliveReaders([process.stdout, process.stderr]);
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

// `switchyard … | head` ends the reader, not the work; nobody is left to be told.
function outliveReaders(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
