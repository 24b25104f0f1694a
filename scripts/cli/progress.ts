import type { CommandIo } from './io.ts';

/** `detail` changes too often for plain lines and is shown on a terminal only. */
export type Progress = { step(phase: string, detail?: string): void; end(): void };

/** A spinner on a terminal; elsewhere one plain line for each new phase. Written to standard error. */
export async function startProgress(io: CommandIo): Promise<Progress> {
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

function plainLines(io: CommandIo): Progress {
  let last = '';
  return {
    step: (phase) => {
      if (phase !== last) io.err(`${phase} …\n`);
      last = phase;
    },
    end: () => {},
  };
}
