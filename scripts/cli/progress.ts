import yoctoSpinner from 'yocto-spinner';
import type { CommandIo } from './io.ts';

export type Progress = { step(text: string): void; end(): void };

/** A spinner on a terminal; elsewhere one plain line for each new phase. Written to standard error. */
export function startProgress(io: CommandIo): Progress {
  if (!io.isTerminal) return plainLines(io);
  const spinner = yoctoSpinner().start();
  return {
    step: (text) => {
      spinner.text = text;
    },
    end: () => void spinner.stop(),
  };
}

function plainLines(io: CommandIo): Progress {
  let phase = '';
  return {
    step: (text) => {
      const next = text.replace(/[\s:]*\d.*$/, '');
      if (next !== phase) io.err(`${next} …\n`);
      phase = next;
    },
    end: () => {},
  };
}
